import { createInterface } from 'node:readline'
import {
  listenForCallback,
  qualifiedName,
  type ServerConfig,
  type SignIns,
  unitsOf,
} from '@pith-mcp/aggregator'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { signInsFor } from '../open/open-aggregator.ts'
import { openState } from '../open/open-state.ts'
import { readConfigFiles } from '../read-config-files.ts'
import type { Command, CommandContext } from './command.ts'

export const command: Command = {
  usage: `aggregator-mcp login SERVER[@ACCOUNT] [--config FILE]

Sign in to a server over HTTP with OAuth, in a browser on this machine. The tokens are stored
encrypted in the state folder, with a key in the system's keychain if there is one. Running
aggregators use them immediately. Exits with 1 on failure, or after 5 minutes without sign-in.`,
  isRecorded: true,
  options: {},
  run: (context) =>
    withSignIns(context, async (signIns, server, signal) => {
      await signIns.signIn(server, signal)
      return `Signed in to ${qualifiedName(server)}.`
    }),
}

const outcomeTexts = {
  none: 'was not signed in.',
  forgotten: 'is signed out here. The tokens could not be revoked at the server.',
  revoked: 'is signed out, here and at the server.',
} as const

export const logout: Command = {
  usage: `aggregator-mcp logout SERVER[@ACCOUNT] [--config FILE]

Delete the tokens of a sign-in, and revoke them at the authorization server if possible.`,
  isRecorded: true,
  options: {},
  run: (context) =>
    withSignIns(context, async (signIns, server) => {
      const outcome = await signIns.signOut(server)
      return `${qualifiedName(server)} ${outcomeTexts[outcome]}`
    }),
}

/**
 * Waits for the redirect on this machine. The browser may be on another one: the address that it was
 * sent to, which it cannot open, can be pasted here.
 */
const listen: typeof listenForCallback = async (port, arrive) => {
  const listener = await listenForCallback(port, arrive)
  if (!process.stdin.isTTY) return listener
  process.stderr.write(
    'If the browser is on another machine, paste the address that it ends at, and press Enter.\n',
  )
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    if (URL.canParse(line.trim())) void arrive(new URL(line.trim()).searchParams)
  })
  return {
    ...listener,
    close() {
      lines.close()
      listener.close()
    },
  }
}

/** The unit named on the command line. @throws {UsageError} for an unknown or ambiguous name */
async function serverNamed({ settings, words }: CommandContext): Promise<ServerConfig> {
  const { servers } = await readConfigFiles(settings)
  const [name, ...more] = words
  if (name === undefined || more.length > 0)
    throw new UsageError('Name one server, as SERVER or SERVER@ACCOUNT.')
  const units = servers.flatMap(unitsOf)
  const match = units.find((unit) => qualifiedName(unit) === name)
  if (match !== undefined) return match
  const accounts = units.filter((unit) => unit.name === name)
  if (accounts.length > 0)
    throw new UsageError(
      `${name} has several accounts. Name one of them: ${accounts.map(qualifiedName).join(', ')}.`,
    )
  const overHttp = units.filter(({ type }) => type !== 'stdio').map(qualifiedName)
  throw new UsageError(
    `There is no server ${name}. Servers over HTTP: ${overHttp.join(', ') || 'none'}.`,
  )
}

/**
 * Open the sign-ins for `work` on the named server, and print what it resolves to. Errors are logged:
 * exit code 1, or 130 after Ctrl-C.
 */
async function withSignIns(
  context: CommandContext,
  work: (signIns: SignIns, server: ServerConfig, signal: AbortSignal) => Promise<string>,
): Promise<number> {
  const { settings, print, log } = context
  const server = await serverNamed(context)
  const interrupted = new AbortController()
  const interrupt = (): void => interrupted.abort(new Error('The sign-in was cancelled.'))
  process.once('SIGINT', interrupt)
  const state = await openState(settings, false, log)
  const signIns = signInsFor({ store: state.signIns, listen }, true, log)
  try {
    print(await work(signIns, server, interrupted.signal))
    return 0
  } catch (error) {
    const { message, remedy } = error as Error & { remedy?: string }
    log(`${message}${remedy ? ` ${remedy}` : ''}`)
    return interrupted.signal.aborted ? 130 : 1
  } finally {
    process.off('SIGINT', interrupt)
    signIns.close()
    await state.close()
  }
}
