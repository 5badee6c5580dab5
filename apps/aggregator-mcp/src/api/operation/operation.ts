import type { Principal } from '@pith-mcp/server-kit'
import type { z } from 'zod'
import type { ApiContext } from './context.ts'

type Shape = z.ZodObject
type ValidatedInput<S> = S extends z.ZodType ? z.output<S> : undefined

/** An operation of the API. The same schemas validate and document it. */
export interface Operation {
  method: 'get' | 'post' | 'patch' | 'delete'
  /** Path below `/api/v1`, with parameters as `{name}`. */
  path: string
  /** The OpenAPI tag. */
  tag: string
  summary: string
  params?: Shape | undefined
  query?: Shape | undefined
  body?: z.ZodType | undefined
  /** Not a change of its own: it is not recorded as one. Always so for `get`. */
  isRead?: true
  /** What the journal says of a change: the command that does the same, without the program. */
  as?(input: Input<unknown, unknown, unknown>): string
  /** The schema of the reply; undefined for 204 without content. */
  answer?: z.ZodType | undefined
  run(input: Input<unknown, unknown, unknown>, context: ApiContext): Promise<unknown> | unknown
}

export interface Input<Params, Query, Body> {
  params: Params
  query: Query
  body: Body
  principal: Principal
  signal: AbortSignal
}

/** Infers the types of `run` from the schemas. */
export function operation<
  Params extends Shape | undefined = undefined,
  Query extends Shape | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Answer extends z.ZodType | undefined = undefined,
>(
  described: Omit<Operation, 'params' | 'query' | 'body' | 'answer' | 'as' | 'run'> & {
    params?: Params
    query?: Query
    body?: Body
    answer?: Answer
    as?(input: Input<ValidatedInput<Params>, ValidatedInput<Query>, ValidatedInput<Body>>): string
    run(
      input: Input<ValidatedInput<Params>, ValidatedInput<Query>, ValidatedInput<Body>>,
      context: ApiContext,
    ): Answer extends z.ZodType ? Promise<z.input<Answer>> | z.input<Answer> : Promise<void> | void
  },
): Operation {
  return described as Operation
}
