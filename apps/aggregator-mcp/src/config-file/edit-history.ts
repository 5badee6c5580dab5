import { createHmac, hash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Seal, secretsIn } from '@pith-mcp/aggregator'
import { attempt } from '@pith-mcp/base/attempt'
import { replaceFile, withLock } from '@pith-mcp/base/replace-file'
import {
  editJsoncValue,
  isTable,
  readJsonc,
  replaceComments,
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
  /** Of the marks by which hidden values differ. */
  salt: string
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
/** Of one: a longer one is not kept. */
const maxEditLength = 250_000

/** Encrypted: who changes what is not for every program of this user. */
const fileIn = (state: string): string => join(state, 'edits.sealed')
const purpose = 'edits'

export function readHistory({ settings, state: { seal } }: HistoryPlace): History {
  const { state } = settings
  const empty: History = { salt: randomBytes(16).toString('hex'), edits: [], files: {} }
  if (state === false) return empty
  return attempt(() => {
    const text = seal?.decrypt(readFileSync(fileIn(state), 'utf8'), purpose) ?? ''
    return { ...empty, ...(JSON.parse(text) as History) }
  }, empty)
}

/** Changes the history under a lock: other processes change it too. */
function changeHistory(place: HistoryPlace, change: (history: History) => void): void {
  const { state } = place.settings
  const { seal } = place.state
  if (state === false || seal === undefined) return
  const path = fileIn(state)
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 })
    withLock(path, () => {
      const history = readHistory(place)
      change(history)
      const sizeOf = (edit: Edit): number => JSON.stringify(edit).length
      const edits = history.edits.slice(-maxEdits).filter((edit) => sizeOf(edit) <= maxEditLength)
      while (edits.reduce((sum, edit) => sum + sizeOf(edit), 0) > maxLength) edits.shift()
      replaceFile(path, seal.encrypt(JSON.stringify({ ...history, edits }), purpose))
    })
    // Of earlier versions.
    for (const old of ['last-edit.sealed', 'last-edit.json'])
      rmSync(join(state, old), { force: true })
  } catch {
    // Undo refuses a file that has changed since the last change that is kept.
  }
}

const hashOf = (text: string): string => hash('sha256', text, 'base64url')

/** A value of 24 letters counts as a secret where a name says so. */
const letters = 'a'.repeat(24)
const isSecretName = (name: string | undefined): boolean => secretsIn(name, letters).length > 0

/**
 * Without comments and secrets, of which another one looks different; who may change variables sees
 * the others.
 */
function shownText(text: string, salt: string): string {
  const maskOf = (value: string): string =>
    mask + createHmac('sha256', salt).update(value).digest('base64url').slice(0, 4)
  const args = new Map(textsIn(text).map(({ path, value }) => [path.join('\0'), value]))
  const isAfterName = (path: readonly string[]): boolean => {
    const before = [...path.slice(0, -1), String(Number(path.at(-1)) - 1)]
    const flag = path.at(-2) === 'args' ? args.get(before.join('\0')) : undefined
    return flag?.startsWith('-') === true && isSecretName(flag.replace(/^-+/, ''))
  }
  // By its name alone, also if it is short.
  const named = replaceTexts(text, ({ path, value }) => {
    const isNamed = ['env', 'headers'].includes(path.at(-2) ?? '') && isSecretName(path.at(-1))
    return (isNamed && !value.includes('${')) || isAfterName(path) ? maskOf(value) : value
  })
  const plain = maskedText(named, { maskOf: ({ value }) => maskOf(value), showsPlain: true })
  return replaceComments(plain, maskOf)
}

/** Keeps what an act has changed in files. */
export function keepEdits(
  place: HistoryPlace,
  files: readonly EditedFile[],
  about: Pick<Edit, 'what' | 'by' | 'via'>,
): void {
  const changed = files.filter(({ before, after }) => after?.trim() && before !== after)
  if (changed.length === 0) return
  changeHistory(place, ({ salt, edits, files: kept }) => {
    for (const { path, before = '', after = '' } of changed) {
      const old = shownText(before.trim() ? before : '{\n}\n', salt)
      const text = shownText(after, salt)
      const patch = structuredPatch(path, path, old, text)
      const changes = changesOf(dataOf(old), dataOf(text))
      const id = randomBytes(4).toString('hex')
      edits.push({ id, path, at: new Date().toISOString(), ...about, patch, changes })
      kept[path] = { hash: hashOf(after), text }
    }
  })
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
  { salt, edits, files }: History,
  current: string,
): { text: string; diff: string[] } | NotUndone {
  const known = files[path]
  if (known === undefined || hashOf(current) !== known.hash)
    return {
      reason: 'The file has changed since, by hand or by another program.',
      remedy: 'Edit the file, or put back what was changed.',
      diff: lineDiff(known?.text ?? '', current.trim() ? shownText(current, salt) : ''),
    }
  const now = shownText(current, salt)
  const before = textBefore(now, patch, changes)
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

/** The text before a change: by its lines if they lead to its values and no others, or by these. */
function textBefore(
  now: string,
  patch: StructuredPatch,
  changes: readonly ValueChange[],
): string | undefined {
  const byLines = applyPatch(now, reversePatch(patch), { autoConvertLineEndings: false })
  const isLayout = changes.length === 0
  const byValues = isLayout ? now : withValues(now, changes)
  if (byValues === undefined) return undefined
  if (byLines !== false && sameData(dataOf(byLines), dataOf(byValues))) return byLines
  return isLayout ? undefined : byValues
}

/** The text with the values before, unless later changes have set them too. */
function withValues(text: string, changes: readonly ValueChange[]): string | undefined {
  const isThere = ({ path, before, after }: ValueChange): boolean => {
    const now = valueAt(dataOf(text), path)
    return sameData(now, after) || (before === undefined && isTable(now) && isTable(after))
  }
  if (!changes.every(isThere)) return undefined
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
  const masksIn = (each: string): number => each.split(mask).length
  return isLost || masksIn(whole) > masksIn(current) ? undefined : whole
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
  changeHistory(place, (history) => {
    history.edits = history.edits.filter((edit) => edit.id !== id)
    history.files[path] = { hash: hashOf(after), text: shownText(after, history.salt) }
  })
}
