import { type ServerConfig, unitName, unitsOf } from '@pith-mcp/aggregator'
import { readConfigFiles } from '../read-config-files.ts'
import { UsageError } from '../usage-error.ts'
import type { Command, CommandContext } from './command.ts'
import { withSignIns } from './with-sign-ins.ts'

export const command: Command = {
  usage: `aggregator-mcp login SERVER[@ACCOUNT] [--config FILE]

Signs in to a server over HTTP by OAuth, in a browser on this machine. The tokens are kept encrypted
in the state folder, with a key in the keychain of the system where there is one. Running aggregators
heed it at once. Ends with 1 if it fails, or nobody signs in within 5 minutes.`,
  options: {},
  async run(context) {
    const server = await serverNamed(context)
    return withSignIns(context, async (signIns, signal) => {
      await signIns.signIn(server, signal)
      context.print(`Signed in at ${unitName(server)}.`)
      return 0
    })
  },
}

/** @throws {UsageError} for a name that is none, or that of a server with several accounts */
export async function serverNamed({ settings, words }: CommandContext): Promise<ServerConfig> {
  const { servers } = await readConfigFiles(settings.config)
  const [name, ...more] = words
  if (name === undefined || more.length > 0) throw new UsageError('name one SERVER[@ACCOUNT].')
  const units = servers.flatMap(unitsOf)
  const found = units.find((unit) => unitName(unit) === name)
  if (found !== undefined) return found
  const own = units.filter((unit) => unit.name === name)
  const signable = units.filter(({ type }) => type !== 'stdio')
  const [known, what] =
    own.length > 0 ? [own, 'its accounts are'] : [signable, 'servers over HTTP are']
  throw new UsageError(
    `${name}: there is no such server; ${what} ${known.map(unitName).join(', ') || 'none'}.`,
  )
}
