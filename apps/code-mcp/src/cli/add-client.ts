import { isAbsolute, relative, sep } from 'node:path'
import { type Client, ownCommands } from '@pith-mcp/server-kit/clients'
import { yesAsker } from '@pith-mcp/server-kit/run'
import type { Config } from '../config.ts'
import { existingRoots } from '../roots.ts'
import { guide } from './guide.ts'

const server = { defaultName: 'code', packageName: '@pith-mcp/code-mcp', guide }
const { add, remove, setup } = ownCommands(server, process.env)

/** Add this server to a client: `add <client> [folder …]`. @throws {UsageError} */
export async function addClient(config: Config): Promise<string> {
  const { positionals, roots, serverFlags, user } = config
  return add(config, (client) => {
    // Folders are passed explicitly, because clients start servers in any folder.
    const folders = existingRoots([...positionals.slice(1), ...roots], process.env)
    return [...serverFlags, ...(user ? folders : folders.map((root) => sharedNameOf(root, client)))]
  })
}

/** Add this server to all clients of this computer: `setup [folder …]`. @throws {UsageError} */
export async function setUpClients(config: Config): Promise<string> {
  const { positionals, roots, serverFlags } = config
  const folders = existingRoots([...positionals, ...roots], process.env)
  const { text, isOk } = await setup({ ...config, ask: yesAsker() }, () => [
    ...serverFlags,
    ...folders,
  ])
  if (!isOk) process.exitCode = 1
  return text
}

/** `remove <client>`: take out what `add` wrote. @throws {UsageError} */
export const removeClient: (config: Config) => Promise<string> = remove

/** The configuration file of a folder is shared, so paths in it are relative to the folder. */
function sharedNameOf(root: string, { scope, folderItself }: Client): string {
  const inside = relative(process.cwd(), root)
  const isInside = !isAbsolute(inside) && inside.split(sep)[0] !== '..'
  if (scope !== 'folder' || folderItself === undefined || !isInside) return root
  return inside === '' ? folderItself : [folderItself, ...inside.split(sep)].join('/')
}
