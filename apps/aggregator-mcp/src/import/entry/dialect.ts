import { basename } from 'node:path'
import type { EntryContext } from './entry-context.ts'
import { NotMoved } from './not-moved.ts'

/** What a variable of a client becomes: text, or a variable that our files know too. */
type Meaning = (
  match: RegExpExecArray,
  context: EntryContext,
) => { text: string } | { kept: string }

/** Which variables a client puts in, and where. What it does not know it leaves as it stands. */
export interface Dialect {
  /** What may be a variable. */
  token: RegExp
  /** Keys of entries in whose values they are put in. */
  fields: readonly string[]
  meanings: readonly (readonly [form: RegExp, meaning: Meaning])[]
}

const launchFields = ['command', 'args', 'env', 'cwd', 'url', 'headers']

const braced = /\$\{[^}]*\}/g

/** What it falls back to may be secret. */
const withoutDefault = (variable: string): string => variable.replace(/:-.*\}$/s, '}')

const kept: Meaning = ([whole]) => ({ kept: whole })
const home: Meaning = (_, { around }) => ({ text: around.home })
const separator: Meaning = () => ({ text: '/' })

/** The folder that is open: known for files of a folder only. */
const folder: Meaning = ([whole], { place }) => {
  if (place.folder === undefined)
    throw new NotMoved(
      `${withoutDefault(whole)} is the folder that is open just then; a user-wide entry has no folder of its own`,
    )
  return { text: place.folder }
}

const folderName: Meaning = (match, context) => {
  const found = folder(match, context)
  return 'text' in found ? { text: basename(found.text) } : found
}

const unknownTo =
  (client: string): Meaning =>
  ([whole]) => {
    throw new NotMoved(`${withoutDefault(whole)} is known to ${client} only`)
  }

const name = '[A-Za-z_][A-Za-z0-9_]*'

/** Nothing is put in. */
export const noVariables: Dialect = { token: braced, fields: [], meanings: [] }

export const claudeCodeVariables: Dialect = {
  token: braced,
  fields: launchFields,
  meanings: [
    [/^\$\{CLAUDE_PROJECT_DIR(?::-[^}]*)?\}$/, folder],
    [/^\$\{CLAUDE_PLUGIN_ROOT(?::-[^}]*)?\}$/, unknownTo('plugins of Claude Code')],
    [new RegExp(`^\\$\\{${name}(?::-[^}]*)?\\}$`), kept],
  ],
}

const editorMeanings: Dialect['meanings'] = [
  [new RegExp(`^\\$\\{env:${name}\\}$`), kept],
  [/^\$\{userHome\}$/, home],
  [/^\$\{workspaceFolder\}$/, folder],
  [/^\$\{workspaceFolderBasename\}$/, folderName],
  [/^\$\{(?:pathSeparator|\/)\}$/, separator],
]

export const cursorVariables: Dialect = {
  token: braced,
  fields: [...launchFields, 'auth'],
  meanings: editorMeanings,
}

export const vscodeVariables: Dialect = {
  token: braced,
  fields: [...launchFields, 'oauth'],
  meanings: [
    ...editorMeanings,
    [/^\$\{cwd\}$/, folder],
    [
      /^\$\{input:[^}]*\}$/,
      ([whole]) => {
        throw new NotMoved(`${whole} is asked for and kept by VS Code; its value cannot be read`)
      },
    ],
    // A command of the editor is not one of the shell.
    [/^\$\{\w+:[^}]*\}$/, unknownTo('VS Code')],
    [
      /^\$\{(?:file\w*|relativeFile\w*|selectedText|lineNumber|columnNumber|execPath|defaultBuildTask)\}$/,
      unknownTo('VS Code'),
    ],
  ],
}

export const windsurfVariables: Dialect = {
  token: braced,
  fields: [...launchFields, 'serverUrl'],
  meanings: [
    [new RegExp(`^\\$\\{env:${name}\\}$`), kept],
    [
      /^\$\{file:[/~][^}$]*\}$/,
      ([whole], { note }) => {
        note(`${whole} has to be readable by its owner only (chmod 600)`)
        return { kept: whole }
      },
    ],
  ],
}

export const geminiVariables: Dialect = {
  token: /\$\{[^}]*\}|\$\w+/g,
  fields: [...launchFields, 'httpUrl', 'oauth'],
  meanings: [
    [new RegExp(`^\\$\\{${name}(?::-[^}]*)?\\}$`), kept],
    [new RegExp(`^\\$(${name})$`), ([, variable = '']) => ({ kept: `\${${variable}}` })],
  ],
}

export const kiroVariables: Dialect = {
  token: braced,
  fields: ['env', 'headers'],
  meanings: [[new RegExp(`^\\$\\{${name}\\}$`), kept]],
}

export const opencodeVariables: Dialect = {
  token: /\{(?:env|file):[^}]*\}/g,
  fields: ['command', 'environment', 'cwd', 'url', 'headers', 'oauth'],
  meanings: [
    // One that is not set is empty there.
    [new RegExp(`^\\{env:(${name})\\}$`), ([, variable = '']) => ({ kept: `\${${variable}:-}` })],
    [
      /^\{file:([/~][^}$]*)\}$/,
      ([, path = ''], { note }) => {
        note(`${path} has to be readable by its owner only (chmod 600)`)
        return { kept: `\${file:${path}}` }
      },
    ],
    [/^\{/, unknownTo('OpenCode')],
  ],
}
