import { readFileSync } from 'node:fs'
import { type Journal, type JournalLine, outcomeOf } from '@pith-mcp/aggregator'
import { attempt } from '@pith-mcp/base/attempt'
import type { StoredToken } from '@pith-mcp/server-kit'
import { readJsonc } from '@pith-mcp/server-kit/files'
import type { Settings } from '../config.ts'
import { type EditedFile, written } from '../config-file/edit-file.ts'
import { keepEdits } from '../config-file/edit-history.ts'
import type { State } from './open-state.ts'

/** Who does what, and from where. */
type AdminAct = Pick<JournalLine, 'caller' | 'via' | 'tool'>

interface AdminContext {
  journal: Journal
  settings: Pick<Settings, 'config' | 'state'>
  state: Pick<State, 'tokens' | 'pins' | 'seal'>
}

/** Run an operation, and write it to the journal with its outcome and what it changed. */
export async function recordAdmin<T>(
  { tool, ...by }: AdminAct,
  { journal, settings, state }: AdminContext,
  run: () => Promise<T> | T,
  redact = (text: string): string => text,
): Promise<T> {
  await journal.check?.()
  const time = new Date().toISOString()
  const before = snapshotOf(settings, state)
  const about = { time, kind: 'admin', ...by, tool: redact(tool ?? '').slice(0, 300) } as const
  const write = (outcome: Pick<JournalLine, 'outcome' | 'message'>): Promise<void> | void =>
    journal.write({ ...about, ...outcome, change: changeOf(before, snapshotOf(settings, state)) })
  const files: EditedFile[] = []
  let answer: T
  try {
    answer = await written.run(files, run)
  } catch (failure) {
    await write(outcomeOf(failure, undefined, redact))
    throw failure
  } finally {
    keepEdits({ settings, state }, files, { what: about.tool, by: by.caller, via: by.via })
  }
  // An exit code, or the report of an import.
  const { isDone = answer === 0 || typeof answer !== 'number' } = Object(answer)
  await write({ outcome: isDone ? 'ok' : 'failed' })
  return answer
}

/** The values of configuration files, tokens and pins, by their path. */
type Snapshot = ReadonlyMap<string, unknown>

/** Files that do not exist, or are damaged, count as empty. */
export function snapshotOf(
  { config }: Pick<Settings, 'config'>,
  { tokens, pins }: Pick<State, 'tokens' | 'pins'>,
): Snapshot {
  const snapshot = new Map<string, unknown>()
  const add = (path: string, value: unknown): void => {
    const isLeaf = typeof value !== 'object' || value === null || Array.isArray(value)
    if (isLeaf || Object.keys(value).length === 0) snapshot.set(path, value)
    else for (const [key, inner] of Object.entries(value)) add(path ? `${path}.${key}` : key, inner)
  }
  for (const path of config) add('', dataOf(path))
  for (const { id, lastUsedAt: _, ...token } of tokensIn(tokens)) add(`tokens.${id}`, token)
  for (const { server, pins: pinned, waiting } of pins.all())
    for (const [tool, { hash }] of Object.entries({ ...pinned, ...waiting }))
      add(`pins.${server}.${tool}`, `${waiting[tool] ? 'waiting' : 'pinned'} ${hash.slice(0, 8)}`)
  return snapshot
}

const tokensIn = (tokens: State['tokens']): readonly StoredToken[] =>
  attempt(() => tokens?.list() ?? [], [])

const dataOf = (path: string): object =>
  attempt(() => readJsonc(readFileSync(path, 'utf8')).data, {})

/** Keys of settings whose texts are not secret. */
const openKeys = new Set(['command', 'type', 'profile', 'tags', 'servers', 'tools', 'mode'])

function redacted(path: string, value: unknown): unknown {
  const key = path.slice(path.lastIndexOf('.') + 1)
  if (/\.(?:env|headers)\./.test(path)) return '…'
  if (/^(?:tokens|pins)\./.test(path) || openKeys.has(key)) return value
  if (key === 'url' && URL.canParse(String(value))) return new URL(String(value)).origin
  return typeof value === 'string' || Array.isArray(value) ? '…' : value
}

const maxLength = 2_000

/** The differences as JSON, `{"path":[before,after]}`; undefined without any. */
export function changeOf(before: Snapshot, after: Snapshot): string | undefined {
  const parts = [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)]
    if (JSON.stringify(old) === JSON.stringify(now)) return []
    const values = [old, now].map((value) => (value === undefined ? null : redacted(path, value)))
    return [`${JSON.stringify(path)}:${JSON.stringify(values)}`]
  })
  // A part has at least 10 characters.
  const first = parts.slice(0, maxLength / 10)
  while (first.join().length > maxLength - 20) first.pop()
  if (parts.length > first.length) first.push(`"…":${parts.length - first.length}`)
  return first.length > 0 ? `{${first.join()}}` : undefined
}
