import { resolve } from 'node:path'
import { hostEnvironment, launchOf, runAdd, runRemove } from '@pith-mcp/server-kit/clients'
import { checkSource } from '../check-source.ts'
import type { Config } from '../config.ts'
import { guide } from './guide.ts'

const packageName = '@pith-mcp/docs-mcp'

/** Add this server to a client: `add <client> [source …]`. @throws {UsageError} */
export async function addClient(config: Config): Promise<string> {
  const { positionals, serverFlags } = config
  const [client, ...sources] = positionals
  for (const source of sources) await checkSource(source)
  const { command, args } = launchOf({ main: mainFile(), packageName })
  const places = sources.map((source) =>
    /^(?:https?|file):/i.test(source) ? source : resolve(source),
  )
  const own = [...serverFlags, ...partitionFlags(config), ...places]
  const launch = { command, args: [...args, ...own] }
  return runAdd({ ...optionsOf(config), client }, () => launch)
}

/** `remove <client>`: take out what `add` wrote. @throws {UsageError} */
export const removeClient = async (config: Config): Promise<string> =>
  runRemove({ ...optionsOf(config), main: mainFile(), packageName })

const mainFile = (): string => process.argv[1] ?? ''

const optionsOf = ({ positionals, name = 'docs', user, ...options }: Config) => ({
  ...options,
  client: positionals[0],
  name,
  isForUser: user,
  guide,
  host: hostEnvironment(process.env),
})

/** The client has its own environment, so a partition set in this one is added as a flag. */
const partitionFlags = ({ settings, serverFlags }: Config): string[] =>
  settings.site.includes('aws-cn') && !serverFlags.includes('aws-cn') ? ['--site', 'aws-cn'] : []
