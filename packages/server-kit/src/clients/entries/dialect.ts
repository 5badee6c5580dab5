import { basename } from 'node:path'
import type { EntryContext } from './entry-context.ts'
import { EntryRefused } from './entry-refused.ts'

/** Translates a variable of a client to text, or to a variable of our files. */
type Meaning = (
  match: RegExpExecArray,
  context: EntryContext,
) => { text: string } | { variable: string }

/** The variables that a client replaces, and where. Others stay literal text. */
export interface Dialect {
  /** Matches possible variables. */
  token: RegExp
  /** Keys of an entry whose values may contain variables. */
  fields: readonly string[]
  meanings: readonly (readonly [form: RegExp, meaning: Meaning])[]
}

/** The keys of most clients whose values may contain variables. */
export const launchFields: readonly string[] = ['command', 'args', 'env', 'cwd', 'url', 'headers']

/** `${…}` */
export const braced: RegExp = /\$\{[^}]*\}/g

/** Defaults are removed from messages, since they may be secrets. */
const withoutDefault = (variable: string): string => variable.replace(/:-.*\}$/s, '}')

/** Our files write the variable in the same way. */
export const sameName: Meaning = ([whole]) => ({ variable: whole })
const home: Meaning = (_, { host }) => ({ text: host.home })
const separator: Meaning = () => ({ text: '/' })

/** The open folder, which is known only for files that belong to a folder. */
export const openFolder: Meaning = ([whole], { location }) => {
  if (location.folder === undefined)
    throw new EntryRefused(
      `${withoutDefault(whole)} is the folder that is open in the client, which a user-wide entry does not have.`,
    )
  return { text: location.folder }
}

const folderName: Meaning = (match, context) => {
  const found = openFolder(match, context)
  return 'text' in found ? { text: basename(found.text) } : found
}

/** Only the client knows the value. */
export const unknownTo =
  (client: string): Meaning =>
  ([whole]) => {
    throw new EntryRefused(`Only ${client} can resolve ${withoutDefault(whole)}.`)
  }

/** Pattern of the name of an environment variable. */
export const variableName = '[A-Za-z_][A-Za-z0-9_]*'

/** The client replaces no variables. */
export const noVariables: Dialect = { token: braced, fields: [], meanings: [] }

/** The variables that Cursor has from VS Code. */
export const editorMeanings: Dialect['meanings'] = [
  [new RegExp(`^\\$\\{env:${variableName}\\}$`), sameName],
  [/^\$\{userHome\}$/, home],
  [/^\$\{workspaceFolder\}$/, openFolder],
  [/^\$\{workspaceFolderBasename\}$/, folderName],
  [/^\$\{(?:pathSeparator|\/)\}$/, separator],
]
