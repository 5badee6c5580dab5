import { isAbsolute, relative, sep } from 'node:path'
import {
  type Client,
  hostEnvironment,
  launchOf,
  runAdd,
  runRemove,
} from '@pith-mcp/server-kit/clients'
import type { Config } from '../config.ts'
import { existingRoots } from '../roots.ts'
import { guide } from './guide.ts'

const packageName = '@pith-mcp/code-mcp'

/** Add this server to a client: `add <client> [folder …]`. @throws {UsageError} */
export async function addClient(config: Config): Promise<string> {
  const { positionals, roots, serverFlags, user } = config
  const { command, args } = launchOf({ main: mainFile(), packageName })
  return runAdd(optionsOf(config), (client) => {
    // Folders are passed explicitly, because clients start servers in any folder.
    const read = existingRoots([...positionals.slice(1), ...roots], process.env)
    const named = user ? read : read.map((root) => sharedNameOf(root, client))
    return { command, args: [...args, ...serverFlags, ...named] }
  })
}

/** `remove <client>`: take out what `add` wrote. @throws {UsageError} */
export const removeClient = async (config: Config): Promise<string> =>
  runRemove({ ...optionsOf(config), main: mainFile(), packageName })

const mainFile = (): string => process.argv[1] ?? ''

const optionsOf = ({ positionals, name = 'code', user, ...options }: Config) => ({
  ...options,
  client: positionals[0],
  name,
  isForUser: user,
  guide,
  host: hostEnvironment(process.env),
})

/** The configuration file of a folder is shared, so paths in it are relative to the folder. */
function sharedNameOf(root: string, { scope, folderItself }: Client): string {
  const inside = relative(process.cwd(), root)
  const isInside = !isAbsolute(inside) && inside.split(sep)[0] !== '..'
  if (scope !== 'folder' || folderItself === undefined || !isInside) return root
  return inside === '' ? folderItself : [folderItself, ...inside.split(sep)].join('/')
}
