import { UsageError } from '../settings/usage-error.ts'
import { AddError } from './add-error.ts'
import type { AddResult } from './add-server.ts'
import { describeAddError } from './describe-add-error.ts'
import { describeAdded } from './describe-added.ts'

/** Runs `add <client>` of a command line, and describes the result. @throws {UsageError} */
export async function runAdd(add: () => Promise<AddResult>): Promise<string> {
  try {
    return describeAdded(await add())
  } catch (error) {
    if (error instanceof AddError) throw new UsageError(`add: ${describeAddError(error)}`)
    throw error
  }
}
