import { resolve } from 'node:path'
import { ownCommands } from '@pith-mcp/server-kit/clients'
import { yesAsker } from '@pith-mcp/server-kit/run'
import { checkSource } from '../check-source.ts'
import type { Config } from '../config.ts'
import { guide } from './guide.ts'
import type { Outcome } from './open-source.ts'

const server = { defaultName: 'docs', packageName: '@pith-mcp/docs-mcp', guide }
const { add, remove, setup } = ownCommands(server, process.env)

/** Add this server to a client: `add <client> [source …]`. @throws {UsageError} */
export async function addClient(config: Config): Promise<string> {
  const args = await argsOf(config, config.positionals.slice(1))
  return add(config, () => args)
}

/** Add this server to all clients of this computer: `setup [source …]`. @throws {UsageError} */
export async function setUpClients(config: Config): Promise<Outcome> {
  const args = await argsOf(config, config.positionals)
  return setup({ ...config, ask: yesAsker() }, () => args)
}

async function argsOf(config: Config, sources: readonly string[]): Promise<string[]> {
  for (const source of sources) await checkSource(source)
  const places = sources.map((source) =>
    /^(?:https?|file):/i.test(source) ? source : resolve(source),
  )
  return [...config.serverFlags, ...partitionFlags(config), ...places]
}

/** `remove <client>`: take out what `add` wrote. @throws {UsageError} */
export const removeClient: (config: Config) => Promise<string> = remove

/** The client has its own environment, so a partition set in this one is added as a flag. */
const partitionFlags = ({ settings, serverFlags }: Config): string[] =>
  settings.site.includes('aws-cn') && !serverFlags.includes('aws-cn') ? ['--site', 'aws-cn'] : []
