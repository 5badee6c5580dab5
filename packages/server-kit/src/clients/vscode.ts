import { join } from 'node:path'
import type { ClientConfig } from './client.ts'
import { stdioEntry } from './entries/plain-entry.ts'
import { applicationFolder, here, inFolder } from './locations/folders.ts'
import type { HostEnvironment } from './locations/location.ts'

const at = ['servers']
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

export const vscode: ClientConfig = {
  title: 'VS Code',
  format: 'jsonc',
  locations: (host) => [
    ...products.flatMap(([product, folder]) => {
      const user = vscodeUser(host, folder)
      return [
        [{ file: join(user, 'mcp.json'), at, product }],
        // Each profile has its own file; they are not alternatives.
        [{ file: join(user, 'profiles', '*', 'mcp.json'), at, product: `${product}, a profile` }],
      ]
    }),
    inFolder(host, path, at),
  ],
  scope: 'folder',
  folderItself: '${workspaceFolder}',
  target: (host, scope) => [
    scope === 'folder'
      ? here(host, path, at)
      : { file: join(vscodeUser(host, 'Code'), 'mcp.json'), at },
  ],
  entry: stdioEntry,
}
