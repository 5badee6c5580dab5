import type { JournalLine } from '@pith-mcp/aggregator'
import type { Principal, Scope } from '@pith-mcp/server-kit'
import { z } from 'zod'
import type { OperationContext } from './context.ts'

/**
 * An operation on an aggregator, or on its state. The API serves all of them, validated and
 * documented by the same schemas; commands perform those of the state.
 */
export interface Operation<Input = unknown, Output = unknown, Context = OperationContext> {
  method: 'get' | 'post' | 'patch' | 'delete'
  /** Below `/api/v1`. */
  path: string
  summary: string
  /** The members of the input, by their place in a request; those in the path are in braces there. */
  query?: Place
  body?: Place
  /**
   * What the journal says of a change: the command that does the same, without the program. Absent
   * if it changes nothing, or writes a line of another kind.
   */
  audit?(input: Input): string
  /** The schema of the reply; undefined for 204 without content. */
  answer?: z.ZodType | undefined
  /**
   * What the performer needs beyond the scope of the method: `console:admin` for what is started and who
   * may enter.
   */
  scope?: Scope
  run(input: Input, context: Context, performer: Performer): Promise<Output> | Output
}

type Place = z.ZodObject | undefined

/** Who performs an operation, and how the journal names them. */
export interface Performer extends Pick<JournalLine, 'caller' | 'via'> {
  principal: Principal
  signal: AbortSignal
}

type InPath<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Readonly<Record<Name, string>> & InPath<Rest>
  : unknown
type Validated<S> = S extends z.ZodType ? z.output<S> : unknown
type Answered<S> = S extends z.ZodType ? z.input<S> : unknown

/** Infers the types of `run` from the schemas. */
export const operation = <
  const Path extends string,
  Query extends Place = undefined,
  Body extends Place = undefined,
  Answer extends z.ZodType | undefined = undefined,
  Output extends Answered<Answer> = Answered<Answer>,
  Context = OperationContext,
>(
  described: Operation<InPath<Path> & Validated<Query> & Validated<Body>, Output, Context> & {
    path: Path
    query?: Query
    body?: Body
    answer?: Answer
  },
): typeof described => described

/** The schema of an object that the OpenAPI description lists by name. */
export const component = <Shape extends z.ZodRawShape>(id: string, shape: Shape) =>
  z.object(shape).meta({ id })
