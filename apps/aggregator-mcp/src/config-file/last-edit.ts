import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Seal } from '@pith-mcp/aggregator'
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

/** Encrypted: the file may hold secrets, also ones that the edit removed. */
const fileIn = (state: string): string => join(state, 'last-edit.sealed')
const purpose = 'last edit'

/** Keeps a change. One that cannot be kept can not be undone, and neither can an earlier one. */
export function saveLastEdit(state: string | false, seal: Seal | undefined, edit: LastEdit): void {
  if (state === false || seal === undefined) return
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 })
    forgetLastEdit(state)
    replaceFile(fileIn(state), seal.encrypt(JSON.stringify(edit), purpose))
  } catch {
    forgetLastEdit(state)
  }
}

/** Undefined without one. */
export const lastEdit = (state: string | false, seal: Seal | undefined): LastEdit | undefined =>
  state === false
    ? undefined
    : attempt(() => {
        const text = seal?.decrypt(readFileSync(fileIn(state), 'utf8'), purpose) ?? ''
        return JSON.parse(text) as LastEdit
      }, undefined)

export function forgetLastEdit(state: string | false): void {
  if (state === false) return
  rmSync(fileIn(state), { force: true })
  // Of an earlier version, in clear.
  rmSync(join(state, 'last-edit.json'), { force: true })
}
