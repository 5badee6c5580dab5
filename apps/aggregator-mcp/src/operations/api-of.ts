import { recordAdmin } from '../open/record-admin.ts'
import { version } from '../version.ts'
import { operations } from './all-operations.ts'
import { changes, type OperationContext } from './context.ts'
import { server } from './described-server.ts'
import { journalLine } from './journal.ts'
import type { Performer } from './operation.ts'
import { perform, type RequestParts } from './perform.ts'
import { ApiError, validateInput } from './problem.ts'

/** The operations, as the API of the console serves them. */
export const apiOf = (context: OperationContext) => ({
  version,
  startedAt: context.startedAt,
  operations,
  perform: (row: (typeof operations)[number], parts: RequestParts, performer: Performer) =>
    perform(row, parts, context, performer),
  record: <T>(act: Parameters<typeof recordAdmin>[0], run: () => T) =>
    recordAdmin(act, context, run),
  validate: validateInput,
  isProblem: (error: unknown) => error instanceof ApiError,
  redact: (text: string) => context.aggregator.deps.recording.redact(text),
  events: { line: journalLine, server, changes },
})
