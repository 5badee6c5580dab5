import { resolve } from 'node:path'
import {
  addServer,
  hostEnvironment,
  launchOf,
  readClient,
  runAdd,
} from '@pith-mcp/server-kit/clients'
import { checkSource } from '../check-source.ts'
import type { Config } from '../config.ts'

/** Add this server to a client: `add <client> [source …]`. @throws {UsageError} */
export async function addClient(config: Config): Promise<string> {
  const { positionals, serverFlags, name = 'docs', print, force, user } = config
  const [client, ...sources] = positionals
  for (const source of sources) await checkSource(source)
  const [, main = ''] = process.argv
  const { command, args } = launchOf({ main, packageName: '@pith-mcp/docs-mcp' })
  const places = sources.map((source) =>
    /^(?:https?|file):/i.test(source) ? source : resolve(source),
  )
  const own = [...serverFlags, ...partitionFlags(config), ...places]
  return runAdd(async () =>
    addServer({
      client: readClient(client),
      name,
      launch: { command, args: [...args, ...own] },
      host: hostEnvironment(process.env),
      print,
      force,
      ...(user && { scope: 'user' }),
    }),
  )
}

/** The client has its own environment, so a partition set in this one is added as a flag. */
const partitionFlags = ({ settings, serverFlags }: Config): string[] =>
  settings.site.includes('aws-cn') && !serverFlags.includes('aws-cn') ? ['--site', 'aws-cn'] : []
