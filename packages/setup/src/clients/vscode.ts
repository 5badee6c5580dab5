import { join } from 'node:path'
import type { ClientFiles, Surroundings } from './client-files.ts'
import { stdioEntry } from './entries.ts'
import { applicationFolder, here, inFolder } from './folders.ts'

const at = ['servers']
const way = ['.vscode', 'mcp.json']
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

export const vscode: ClientFiles = {
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
    inFolder(around, way, at),
  ],
  scope: 'folder',
  folderItself: '${workspaceFolder}',
  target: (around, scope) => [
    scope === 'folder'
      ? here(around, way, at)
      : { file: join(vscodeUser(around, 'Code'), 'mcp.json'), at },
  ],
  entry: stdioEntry,
}
