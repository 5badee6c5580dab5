import type { Principal, Scope } from '@pith-mcp/server-kit'
import type { z } from 'zod'
import type { Actor } from './actor-of.ts'
import type { Problem } from './request-error.ts'

/** What the API serves. The program has the operations, since its commands perform them too. */
export interface Api<Row extends ApiOperation = ApiOperation> {
  version: string
  startedAt: string
  operations: readonly Row[]
  /** Validates the parts and performs the operation. @throws errors that `problemOf` describes */
  perform(
    operation: Row,
    parts: Readonly<Record<'params' | 'query', Readonly<Record<string, string>>>> & {
      body?: unknown
    },
    performer: Actor & { principal: Principal; signal: AbortSignal },
  ): Promise<unknown>
  /** Records what is no operation, as `perform` does, with its outcome. */
  record<T>(act: Actor & { tool: string }, run: () => T): Promise<T>
  /** Unknown members are rejected. @throws errors that are problems */
  validate(schema: z.ZodObject, value: unknown, where: string): unknown
  /** Whether an error of `perform` or `validate` says itself how it is answered. */
  isProblem(error: unknown): error is Problem
  /** Takes secrets out of a text. */
  redact(text: string): string
  /** What events tell. */
  events: { line: z.ZodType; server: z.ZodType; changes: readonly string[] }
}

/** What the routes and the description need of an operation. */
export interface ApiOperation {
  method: 'get' | 'post' | 'patch' | 'delete'
  /** Below `/api/v1`; parameters are in braces. */
  path: string
  tag: string
  summary: string
  query?: z.ZodObject | undefined
  body?: z.ZodObject | undefined
  /** Undefined for 204 without content. */
  answer?: z.ZodType | undefined
  /** Beyond `scopeOf` the method. */
  scope?: Scope
}

/** What a principal needs for the operations of a method. */
export const scopeOf = (method: string): Scope =>
  method.toLowerCase() === 'get' ? 'console:read' : 'console'
