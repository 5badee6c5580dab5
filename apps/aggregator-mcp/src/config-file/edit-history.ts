import { hash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Seal } from '@pith-mcp/aggregator'
import { attempt } from '@pith-mcp/base/attempt'
import { replaceFile } from '@pith-mcp/base/replace-file'
import {
  editJsoncValue,
  isTable,
  readJsonc,
  replaceTexts,
  sameData,
  textsIn,
  valueAt,
} from '@pith-mcp/server-kit/files'
import { applyPatch, diffArrays, reversePatch, type StructuredPatch, structuredPatch } from 'diff'
import { lineDiff } from '../line-diff.ts'
import type { EditedFile } from './edit-file.ts'
import { mask, maskedText } from './mask.ts'

/** A change of a configuration file, without the secrets that were or are in it. */
export interface Edit {
  id: string
  /** With links resolved. */
  path: string
  /** The command that does the same. */
  what: string
  /** In ISO 8601. */
  at: string
  by?: string | undefined
  via?: string | undefined
  /** Between the texts with hidden secrets. */
  patch: StructuredPatch
  /** The same by values. */
  changes: ValueChange[]
}

/** A value of the file; undefined: it is not there. */
interface ValueChange {
  path: string[]
  before?: unknown
  after?: unknown
}

interface History {
  /** The newest last. */
  edits: Edit[]
  /** By path: what the file is since its last change, with hidden secrets. */
  files: Record<string, { hash: string; text: string }>
}

/** Where the history is; nothing is kept without a state folder. */
export interface HistoryPlace {
  settings: { state: string | false }
  state: { seal: Seal | undefined }
}

/** Changes that are kept, and characters of all of them. */
const maxEdits = 50
const maxLength = 1_000_000

/** Encrypted: who changes what is not for every program of this user. */
const fileIn = (state: string): string => join(state, 'edits.sealed')
const purpose = 'edits'

export function readHistory({ settings, state: { seal } }: HistoryPlace): History {
  const { state } = settings
  const empty: History = { edits: [], files: {} }
  if (state === false) return empty
  return attempt(() => {
    const text = seal?.decrypt(readFileSync(fileIn(state), 'utf8'), purpose) ?? ''
    return JSON.parse(text) as History
  }, empty)
}

function saveHistory({ settings: { state }, state: { seal } }: HistoryPlace, history: History) {
  if (state === false || seal === undefined) return
  const edits = history.edits.slice(-maxEdits)
  while (JSON.stringify(edits).length > maxLength) edits.shift()
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 })
    replaceFile(fileIn(state), seal.encrypt(JSON.stringify({ ...history, edits }), purpose))
    // Of earlier versions.
    for (const old of ['last-edit.sealed', 'last-edit.json'])
      rmSync(join(state, old), { force: true })
  } catch {
    // One that cannot be kept can not be undone, and neither can earlier ones.
    rmSync(fileIn(state), { force: true })
  }
}

const hashOf = (text: string): string => hash('sha256', text, 'base64url')

/** Without secrets, of which another value looks different; who may change variables sees the others. */
const shownText = (text: string): string =>
  maskedText(text, { maskOf: ({ value }) => mask + hashOf(value).slice(0, 4), showsPlain: true })

/** Keeps what an act has changed in files. */
export function keepEdits(
  place: HistoryPlace,
  files: readonly EditedFile[],
  about: Pick<Edit, 'what' | 'by' | 'via'>,
): void {
  const changed = files.filter(({ before, after }) => after !== undefined && before !== after)
  if (changed.length === 0) return
  const history = readHistory(place)
  for (const { path, before = '{\n}\n', after = '' } of changed) {
    const text = shownText(after)
    const old = shownText(before)
    const patch = structuredPatch(path, path, old, text)
    const changes = changesOf(dataOf(old), dataOf(text))
    const id = randomBytes(4).toString('hex')
    history.edits.push({ id, path, at: new Date().toISOString(), ...about, patch, changes })
    history.files[path] = { hash: hashOf(after), text }
  }
  saveHistory(place, history)
}

const dataOf = (text: string): unknown => attempt(() => readJsonc(text).data, {})

/** The values that differ: members of objects one by one, all else as a whole; a new object is last. */
function changesOf(before: unknown, after: unknown, path: string[] = []): ValueChange[] {
  if (sameData(before, after)) return []
  const isNew = before === undefined
  if (!isTable(after) || !(isTable(before) || isNew)) return [{ path, before, after }]
  const old = isTable(before) ? before : {}
  const keys = new Set([...Object.keys(old), ...Object.keys(after)])
  const inner = [...keys].flatMap((key) => changesOf(old[key], after[key], [...path, key]))
  return isNew ? [...inner, { path, after: {} }] : inner
}

/** Why a change is not undone, and the lines that say it. */
interface NotUndone {
  reason: string
  remedy: string
  diff: string[]
}

/** The text of its file without a change, or why it is not undone; `diff` are lines without secrets. */
export function withoutEdit(
  { id, path, patch, changes }: Edit,
  { edits, files }: History,
  current: string,
): { text: string; diff: string[] } | NotUndone {
  const now = shownText(current)
  const known = files[path]
  if (known === undefined || hashOf(current) !== known.hash)
    return {
      reason: 'The file has changed since, by hand or by another program.',
      remedy: 'Edit the file, or put back what was changed.',
      diff: lineDiff(known?.text ?? '', now),
    }
  const before =
    applyPatch(now, reversePatch(patch), { autoConvertLineEndings: false }) ||
    withValues(now, changes)
  if (before === undefined) {
    const later = edits.slice(edits.findIndex((edit) => edit.id === id) + 1)
    const ids = later.filter((edit) => edit.path === path).map((edit) => edit.id)
    return {
      reason: 'Later changes set the same values.',
      remedy: `Undo those first, from the last one: ${ids.toReversed().join(', ')}.`,
      diff: linesOf(patch),
    }
  }
  const diff = lineDiff(now, before)
  const text = withSecrets(before, now, current)
  if (text !== undefined) return { text, diff }
  return {
    reason: 'It removed a secret, which is not kept.',
    remedy: 'Set it again: aggregator-mcp config set PATH --secret.',
    diff,
  }
}

/** The text with the values before, unless later changes have set them too. */
function withValues(text: string, changes: readonly ValueChange[]): string | undefined {
  const isThere = ({ path, before, after }: ValueChange): boolean => {
    const now = valueAt(dataOf(text), path)
    return sameData(now, after) || (before === undefined && isTable(now) && isTable(after))
  }
  if (changes.length === 0 || !changes.every(isThere)) return undefined
  const undo = (rest: string, { path, before, after }: ValueChange): string =>
    // A new object stays for what later changes have added to it.
    sameData(valueAt(dataOf(rest), path), after)
      ? editJsoncValue(rest, { path, value: before })
      : rest
  return attempt(() => changes.reduce(undo, text), undefined)
}

/** The lines of `before` that are in `current` too, as they are there; undefined if a secret is lost. */
function withSecrets(before: string, now: string, current: string): string | undefined {
  const real = current.split('\n')
  let at = 0
  const lines = diffArrays(now.split('\n'), before.split('\n')).flatMap(
    ({ value, added, removed }) => {
      if (added) return value
      at += value.length
      return removed ? [] : real.slice(at - value.length, at)
    },
  )
  const text = lines.join('\n')
  const keyOf = (path: readonly string[]): string => path.join('\0')
  const hidden = new Map(textsIn(now).map(({ path, value }) => [keyOf(path), value]))
  const known = new Map(textsIn(current).map(({ path, value }) => [keyOf(path), value]))
  let isLost = false
  const whole = replaceTexts(text, ({ path, value }) => {
    const key = keyOf(path)
    if (!value.includes(mask) || known.get(key) === value) return value
    const isSame = hidden.get(key) === value
    isLost ||= !isSame
    return (isSame && known.get(key)) || value
  })
  return isLost ? undefined : whole
}

/** Lines that are shown of a change. */
const maxLines = 200

/** What a change did, as `lineDiff` shows it. */
export function linesOf({ hunks }: StructuredPatch): string[] {
  const lines = hunks.flatMap(({ lines }, index) => [
    ...(index > 0 ? ['…'] : []),
    ...lines
      .filter((line) => !line.startsWith('\\'))
      .map((line) => `${line.slice(0, 1)} ${line.slice(1)}`),
  ])
  const rest = lines.length - maxLines
  return rest > 0 ? [...lines.slice(0, maxLines), `… (${rest} more lines)`] : lines
}

/** A change was undone: its file is `after` now. */
export function forgetEdit(place: HistoryPlace, { id, path }: Edit, after: string): void {
  const { edits, files } = readHistory(place)
  files[path] = { hash: hashOf(after), text: shownText(after) }
  saveHistory(place, { edits: edits.filter((edit) => edit.id !== id), files })
}
