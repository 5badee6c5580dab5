import { sinceMs } from '../../since.ts'
import type { ApiContext } from './context.ts'
import { ApiError, badRequest } from './problem.ts'

/** The folder of the journal. @throws {ApiError} 409 if it is disabled */
export function journalOf({ journalFolder }: ApiContext): string {
  if (journalFolder !== undefined) return journalFolder
  throw new ApiError(
    409,
    'no_journal',
    'The journal is disabled.',
    'Enable it under aggregator.journal in the configuration, and run without --no-state.',
  )
}

/** Milliseconds from a time in the query until now. @throws {ApiError} */
export function msSince(text: string, name: string): number {
  const ms = sinceMs(text)
  if (ms !== undefined) return ms
  throw badRequest(
    `query.${name} must be a time such as 7d, 24h, 30m or 2026-11-01, got "${text}".`,
  )
}
