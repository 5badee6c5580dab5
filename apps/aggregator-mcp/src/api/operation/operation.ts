import type { Visitor } from '@pith-mcp/door'
import type { z } from 'zod'
import type { ApiContext } from './context.ts'

type Shape = z.ZodObject
type Given<S> = S extends z.ZodType ? z.output<S> : undefined

/** Something that can be asked of the API, checked and documented by the same schemas. */
export interface Operation {
  method: 'get' | 'post' | 'patch' | 'delete'
  /** Below `/api/v1`, with its parameters as `{name}`. */
  path: string
  /** What it is about. */
  tag: string
  /** What it does, in a line. */
  summary: string
  params?: Shape | undefined
  query?: Shape | undefined
  body?: z.ZodType | undefined
  /** Of the answer; without one there is none. */
  answer?: z.ZodType | undefined
  run(input: Input<unknown, unknown, unknown>, context: ApiContext): Promise<unknown> | unknown
}

export interface Input<Params, Query, Body> {
  params: Params
  query: Query
  body: Body
  visitor: Visitor
  signal: AbortSignal
}

/** Of a schema for each part, so that `run` is given what they say. */
export function operation<
  Params extends Shape | undefined = undefined,
  Query extends Shape | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Answer extends z.ZodType | undefined = undefined,
>(
  described: Omit<Operation, 'params' | 'query' | 'body' | 'answer' | 'run'> & {
    params?: Params
    query?: Query
    body?: Body
    answer?: Answer
    run(
      input: Input<Given<Params>, Given<Query>, Given<Body>>,
      context: ApiContext,
    ): Answer extends z.ZodType ? Promise<z.input<Answer>> | z.input<Answer> : Promise<void> | void
  },
): Operation {
  return described as Operation
}
