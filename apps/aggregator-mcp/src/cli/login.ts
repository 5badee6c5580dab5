import { type ServerConfig, unitName, unitsOf } from '@pith-mcp/aggregator'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { readConfigFiles } from '../read-config-files.ts'
import type { Command, CommandContext } from './command.ts'
import { withSignIns } from './with-sign-ins.ts'

export const command: Command = {
  usage: `aggregator-mcp login SERVER[@ACCOUNT] [--config FILE]

Sign in to a server over HTTP with OAuth, in a browser on this machine. The tokens are stored
encrypted in the state folder, with a key in the system's keychain if there is one. Running
aggregators use them immediately. Exits with 1 on failure, or after 5 minutes without sign-in.`,
  options: {},
  async run(context) {
    const server = await serverNamed(context)
    return withSignIns(context, async (signIns, signal) => {
      await signIns.signIn(server, signal)
      context.print(`Signed in to ${unitName(server)}.`)
      return 0
    })
  },
}

/** The unit named on the command line. @throws {UsageError} for an unknown or ambiguous name */
export async function serverNamed({ settings, words }: CommandContext): Promise<ServerConfig> {
  const { servers } = await readConfigFiles(settings.config)
  const [name, ...more] = words
  if (name === undefined || more.length > 0)
    throw new UsageError('Name one server, as SERVER or SERVER@ACCOUNT.')
  const units = servers.flatMap(unitsOf)
  const found = units.find((unit) => unitName(unit) === name)
  if (found !== undefined) return found
  const own = units.filter((unit) => unit.name === name)
  if (own.length > 0)
    throw new UsageError(
      `${name} has several accounts. Name one of them: ${own.map(unitName).join(', ')}.`,
    )
  const overHttp = units.filter(({ type }) => type !== 'stdio').map(unitName)
  throw new UsageError(
    `There is no server ${name}. Servers over HTTP: ${overHttp.join(', ') || 'none'}.`,
  )
}
