import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '@pith-mcp/base/attempt'
import { replaceFile } from '@pith-mcp/base/replace-file'

/** The last change of a configuration file, with what undoes it. */
export interface LastEdit {
  /** With links resolved. */
  path: string
  before: string
  after: string
  /** What was changed, as the command that does it. */
  what: string
  /** The paths of the values. */
  paths: (readonly string[])[]
  /** In ISO 8601. */
  at: string
}

const fileIn = (state: string): string => join(state, 'last-edit.json')

/**
 * Keeps a change, readable by its owner only: the file may hold secrets. One that cannot be kept can
 * not be undone, and neither can an earlier one.
 */
export function saveLastEdit(state: string | false, edit: LastEdit): void {
  if (state === false) return
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 })
    replaceFile(fileIn(state), JSON.stringify(edit))
  } catch {
    forgetLastEdit(state)
  }
}

/** Undefined without one. */
export const lastEdit = (state: string | false): LastEdit | undefined =>
  state === false
    ? undefined
    : attempt(() => JSON.parse(readFileSync(fileIn(state), 'utf8')) as LastEdit, undefined)

export function forgetLastEdit(state: string | false): void {
  if (state !== false) rmSync(fileIn(state), { force: true })
}
