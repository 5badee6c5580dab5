import { join } from 'node:path'
import type { Client, Surroundings } from '../client.ts'
import { vscodeVariables } from '../entry/dialect.ts'
import {
  address,
  envFile,
  leftOut,
  leftOutAndSaid,
  record,
  signIn,
  stays,
  text,
  texts,
  transport,
} from '../entry/rules.ts'
import { applicationFolder, inFolder } from './folders.ts'

const at = ['servers']
const products = [
  ['VS Code', 'Code'],
  ['VS Code Insiders', 'Code - Insiders'],
] as const

/** The folder of the user; the variables are for the product that is started with them. */
export function vscodeUser(around: Surroundings, folder: string): string {
  const { VSCODE_PORTABLE: portable, VSCODE_APPDATA: data } = around.variables
  if (portable) return join(portable, 'user-data', 'User')
  return join(data || applicationFolder(around), folder, 'User')
}

export const vscode: Client = {
  name: 'vscode',
  title: 'VS Code',
  format: 'jsonc',
  places: (around) => [
    ...products.flatMap(([product, folder]) => {
      const user = vscodeUser(around, folder)
      return [
        [{ file: join(user, 'mcp.json'), at, product }],
        // Each of the profiles has a file of its own, so none is the other's alternative.
        [{ file: join(user, 'profiles', '*', 'mcp.json'), at, product: `${product}, a profile` }],
      ]
    }),
    inFolder(around, ['.vscode', 'mcp.json'], at),
  ],
  dialect: vscodeVariables,
  rules: {
    type: transport(),
    command: text,
    args: texts,
    cwd: text,
    env: record,
    envFile,
    url: address,
    headers: record,
    oauth: signIn({ clientId: 'clientId' }),
    sandboxEnabled: stays('it runs in the sandbox of VS Code; moved, it would run without'),
    sandbox: leftOut,
    dev: leftOutAndSaid,
    gallery: leftOut,
    version: leftOut,
  },
  own: () => ({ type: 'stdio' }),
  handsOnVariables: false,
}
