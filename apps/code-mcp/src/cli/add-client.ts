import { homedir } from 'node:os'
import { addServer, describeAdded, launchOf, readClientName, SetupError } from '@pith-mcp/setup'
import type { Config } from '../config.ts'
import { existingRoots, UsageError } from '../settings.ts'

/** Enter this server into a client: `add <client> [folder …]`. @throws {UsageError} */
export async function addClient(config: Config): Promise<string> {
  const { positionals, roots, serverFlags, name = 'code', print, force, user } = config
  const [client, ...folders] = positionals
  const [, main = ''] = process.argv
  const { command, args } = launchOf({ main, packageName: '@pith-mcp/code-mcp' })
  try {
    const added = await addServer({
      client: readClientName(client),
      name,
      // Named, since a client may start its servers anywhere.
      launch: {
        command,
        args: [...args, ...serverFlags, ...existingRoots([...folders, ...roots], process.env)],
      },
      around: {
        home: homedir(),
        cwd: process.cwd(),
        platform: process.platform,
        variables: process.env,
      },
      print,
      force,
      ...(user && { scope: 'user' }),
    })
    return describeAdded(added)
  } catch (error) {
    if (error instanceof SetupError) throw new UsageError(`add: ${error.message}`)
    throw error
  }
}
