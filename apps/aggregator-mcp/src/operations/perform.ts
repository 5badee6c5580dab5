import { z } from 'zod'
import { recordAdmin } from '../open/record-admin.ts'
import type { StateContext } from './context.ts'
import type { Operation, Performer } from './operation.ts'
import { checkScope, validateInput } from './problem.ts'

/** The input of an operation, by its places in a request. */
export interface RequestParts {
  params?: Readonly<Record<string, string>>
  query?: unknown
  body?: unknown
}

const nothing = z.object({})

/**
 * Validates the input, performs the operation, and writes a change to the journal. The caller has
 * checked that the principal has the scope of the method. @throws errors that `problemOf` describes
 */
export async function perform<Input, Output, Context extends StateContext>(
  { query = nothing, body, scope, audit, run }: Operation<Input, Output, Context>,
  parts: RequestParts,
  context: Context,
  performer: Performer,
): Promise<Output> {
  const input = {
    ...parts.params,
    ...validateInput(query, parts.query ?? {}, 'query'),
    ...(body && validateInput(body, parts.body, 'body')),
  } as Input
  const act = (): Promise<Output> | Output => {
    if (scope) checkScope(scope, performer.principal)
    return run(input, context, performer)
  }
  if (audit === undefined) return act()
  const { caller, via } = performer
  return recordAdmin(
    { caller, via, tool: audit(input) },
    context,
    // What was refused for its scope is in the journal too.
    act,
    context.aggregator?.deps.recording.redact,
  )
}
