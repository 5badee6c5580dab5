import { type Journal, type JournalLine, outcomeOf } from '@pith-mcp/aggregator'
import type { Principal } from '@pith-mcp/server-kit'
import type { Settings } from '../config.ts'
import { changeOf, snapshotOf } from './snapshot.ts'

/** Who does what, and from where. */
type AdminAct = Pick<JournalLine, 'caller' | 'via' | 'tool'>

/** Run an operation, and write it to the journal with its outcome and what it changed. */
export async function recordAdmin<T>(
  { tool, ...by }: AdminAct,
  { journal, settings }: { journal: Journal; settings: Pick<Settings, 'config' | 'state'> },
  run: () => Promise<T> | T,
  redact = (text: string): string => text,
): Promise<T> {
  journal.check?.()
  const time = new Date().toISOString()
  const before = snapshotOf(settings)
  const about = { time, kind: 'admin', ...by, tool: redact(tool ?? '').slice(0, 300) } as const
  const write = (outcome: Pick<JournalLine, 'outcome' | 'message'>): Promise<void> | void =>
    journal.write({ ...about, ...outcome, change: changeOf(before, snapshotOf(settings)) })
  let answer: T
  try {
    answer = await run()
  } catch (failure) {
    await write(outcomeOf(failure, undefined, redact))
    throw failure
  }
  // An exit code, or the report of an import.
  const { isDone = answer === 0 || typeof answer !== 'number' } = Object(answer)
  await write({ outcome: isDone ? 'ok' : 'failed' })
  return answer
}

/** A principal in the journal: `owner`, the name of a caller, or `<kind>:<name>#<id>`. */
export function actorOf({ kind, name, id }: Principal): Pick<AdminAct, 'caller' | 'via'> {
  const via = kind === 'session' ? 'console' : 'api'
  if (name === undefined) return { caller: kind === 'session' ? 'owner' : kind, via }
  return { caller: id === undefined ? name : `${kind}:${name}#${id}`, via }
}
