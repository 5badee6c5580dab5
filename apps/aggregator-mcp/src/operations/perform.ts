import { z } from 'zod'
import { recordAdmin } from '../open/record-admin.ts'
import type { StateContext } from './context.ts'
import type { Operation, Performer } from './operation.ts'
import { validateInput } from './problem.ts'

/** The input of an operation, by its places in a request. */
export interface RequestParts {
  params?: Readonly<Record<string, string>>
  query?: unknown
  body?: unknown
}

const nothing = z.object({})

/**
 * Validates the input, performs the operation, and writes a change to the journal. The caller has
 * checked the scope of the principal. @throws errors that `problemOf` describes
 */
export async function perform<Input, Output, Context extends StateContext>(
  { query = nothing, body, audit, run }: Operation<Input, Output, Context>,
  parts: RequestParts,
  context: Context,
  performer: Performer,
): Promise<Output> {
  const input = {
    ...parts.params,
    ...validateInput(query, parts.query ?? {}, 'query'),
    ...(body && validateInput(body, parts.body, 'body')),
  } as Input
  if (audit === undefined) return run(input, context, performer)
  const { caller, via } = performer
  return recordAdmin(
    { caller, via, tool: audit(input) },
    context,
    () => run(input, context, performer),
    context.aggregator?.deps.recording.redact,
  )
}
