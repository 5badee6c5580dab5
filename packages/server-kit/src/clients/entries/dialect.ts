import { basename } from 'node:path'
import { type EntryContext, EntryRefused } from './rules.ts'

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
export const sameName: Meaning = ([variable]) => ({ variable })
const home: Meaning = (_, { host }) => ({ text: host.home })
const separator: Meaning = () => ({ text: '/' })

/** The open folder, which is known only for files that belong to a folder. */
export const openFolder: Meaning = ([variable], { location }) => {
  if (location.folder === undefined)
    throw new EntryRefused(
      `${withoutDefault(variable)} is the folder that is open in the client, which a user-wide entry does not have.`,
    )
  return { text: location.folder }
}

const folderName: Meaning = (match, context) => {
  const meaning = openFolder(match, context)
  return 'text' in meaning ? { text: basename(meaning.text) } : meaning
}

/** Only the client knows the value. */
export const unknownTo =
  (client: string): Meaning =>
  ([variable]) => {
    throw new EntryRefused(`Only ${client} can resolve ${withoutDefault(variable)}.`)
  }

/** Pattern of the name of an environment variable. */
export const variableName = '[A-Za-z_][A-Za-z0-9_]*'

/** The client replaces `${NAME}` and `${NAME:-default}` where most do. */
export const shellVariables: Dialect = {
  token: braced,
  fields: launchFields,
  meanings: [[new RegExp(`^\\$\\{${variableName}(?::-[^}]*)?\\}$`), sameName]],
}

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

/** References that our configuration resolves when a server starts. They cannot be escaped. */
const lookedUp = /\{(?:file|keychain|command):/

/** Escape text so that our configuration does not replace anything in it. @throws {EntryRefused} */
export function literal(text: string): string {
  if (lookedUp.test(text))
    throw new EntryRefused(
      'It contains {file:, {keychain: or {command: as text, which our file would resolve.',
    )
  return text.replaceAll('${', () => '$${')
}

/** Translate a text of a client's entry to one with the same meaning in our file. @throws {EntryRefused} */
export function translateText(
  text: string,
  field: string,
  dialect: Dialect,
  context: EntryContext,
): string {
  if (!dialect.fields.includes(field)) return literal(text)
  let translated = ''
  let at = 0
  // Adjacent text is escaped together, since a variable could begin in one part and end in the next.
  let pendingText = ''
  for (const match of text.matchAll(dialect.token)) {
    pendingText += text.slice(at, match.index)
    at = match.index + match[0].length
    const [meaning] = dialect.meanings.flatMap(([form, means]) => {
      const groups = form.exec(match[0])
      return groups ? [{ groups, means }] : []
    })
    const means = meaning?.means(meaning.groups, context) ?? { text: match[0] }
    if ('text' in means) pendingText += means.text
    else {
      translated += beforeVariable(pendingText) + checkDefault(means.variable)
      pendingText = ''
    }
  }
  return translated + literal(pendingText + text.slice(at))
}

/** `$` before a variable would escape it. */
function beforeVariable(text: string): string {
  if (text.endsWith('$'))
    throw new EntryRefused('A $ directly before a variable cannot be escaped.')
  return literal(text)
}

/** Variables in a default would be replaced too. */
function checkDefault(variable: string): string {
  if (/:-.*\$/s.test(variable)) throw new EntryRefused('The default of a variable contains a $.')
  return variable
}
