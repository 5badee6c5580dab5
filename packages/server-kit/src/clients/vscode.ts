import { join } from 'node:path'
import { type Client, stdioEntry } from './entries/client.ts'
import {
  braced,
  type Dialect,
  editorMeanings,
  launchFields,
  openFolder,
  unknownTo,
} from './entries/dialect.ts'
import {
  dropped,
  droppedWithNote,
  EntryRefused,
  envFile,
  serverRules,
  signIn,
  stays,
} from './entries/rules.ts'
import { applicationFolder, type HostEnvironment, here, inFolder } from './locations/location.ts'

const at = ['servers']
const inSettings = ['mcp', 'servers']
const path = ['.vscode', 'mcp.json']
const products = [
  ['VS Code', 'Code'],
  ['VS Code Insiders', 'Code - Insiders'],
] as const

/** Folder of the user's settings; the variables apply to the product started with them. */
export function vscodeUser(host: HostEnvironment, folder: string): string {
  const { VSCODE_PORTABLE: portable, VSCODE_APPDATA: data } = host.variables
  if (portable) return join(portable, 'user-data', 'User')
  return join(data || applicationFolder(host), folder, 'User')
}

const dialect: Dialect = {
  token: braced,
  fields: [...launchFields, 'oauth'],
  meanings: [
    ...editorMeanings,
    [/^\$\{cwd\}$/, openFolder],
    [
      /^\$\{input:[^}]*\}$/,
      ([variable]) => {
        throw new EntryRefused(`${variable} is stored by VS Code, and its value cannot be read.`)
      },
    ],
    // ${command:…} is a command of the editor, not of the shell.
    [/^\$\{\w+:[^}]*\}$/, unknownTo('VS Code')],
    [
      /^\$\{(?:file\w*|relativeFile\w*|selectedText|lineNumber|columnNumber|execPath|defaultBuildTask)\}$/,
      unknownTo('VS Code'),
    ],
  ],
}

export const vscode: Client = {
  name: 'vscode',
  title: 'VS Code',
  infoName: 'Visual Studio Code',
  format: 'jsonc',
  locations: (host) => [
    ...products.flatMap(([product, folder]) => {
      const user = vscodeUser(host, folder)
      return [
        [{ file: join(user, 'mcp.json'), at, product }],
        // Each profile has its own file; they are not alternatives.
        [{ file: join(user, 'profiles', '*', 'mcp.json'), at, product: `${product}, a profile` }],
        // Where they were before mcp.json.
        [{ file: join(user, 'settings.json'), at: inSettings, product: `${product}, settings` }],
      ]
    }),
    inFolder(host, path, at),
    inFolder(host, ['.vscode', 'settings.json'], inSettings),
  ],
  scope: 'folder',
  target: (host, scope) => [
    scope === 'folder'
      ? here(host, path, at)
      : { file: join(vscodeUser(host, 'Code'), 'mcp.json'), at },
  ],
  entry: stdioEntry,
  folderItself: '${workspaceFolder}',
  passesVariables: false,
  dialect,
  rules: {
    ...serverRules,
    envFile,
    oauth: signIn({ clientId: 'clientId' }),
    sandboxEnabled: stays('It runs in the sandbox of VS Code, which it would lose'),
    sandbox: dropped,
    dev: droppedWithNote,
    gallery: dropped,
    version: dropped,
  },
  commands: ['code'],
  skills: ['.github/skills', '.copilot/skills'],
  rulesIn: ['AGENTS.md'],
}
