import { isAbsolute, relative, sep } from 'node:path'
import {
  addServer,
  type Client,
  hostEnvironment,
  launchOf,
  readClient,
  runAdd,
} from '@pith-mcp/server-kit/clients'
import type { Config } from '../config.ts'
import { existingRoots } from '../roots.ts'

/** Add this server to a client: `add <client> [folder …]`. @throws {UsageError} */
export async function addClient(config: Config): Promise<string> {
  const { positionals, roots, serverFlags, name = 'code', print, force, user } = config
  const [clientName, ...folders] = positionals
  const [, main = ''] = process.argv
  const { command, args } = launchOf({ main, packageName: '@pith-mcp/code-mcp' })
  return runAdd(async () => {
    const client = readClient(clientName)
    // Folders are passed explicitly, because clients start servers in any folder.
    const read = existingRoots([...folders, ...roots], process.env)
    const named = user ? read : read.map((root) => sharedNameOf(root, client))
    return addServer({
      client,
      name,
      launch: { command, args: [...args, ...serverFlags, ...named] },
      host: hostEnvironment(process.env),
      print,
      force,
      ...(user && { scope: 'user' }),
    })
  })
}

/** The configuration file of a folder is shared, so paths in it are relative to the folder. */
function sharedNameOf(root: string, { scope, folderItself }: Client): string {
  const inside = relative(process.cwd(), root)
  const isInside = !isAbsolute(inside) && inside.split(sep)[0] !== '..'
  if (scope !== 'folder' || folderItself === undefined || !isInside) return root
  return inside === '' ? folderItself : [folderItself, ...inside.split(sep)].join('/')
}
