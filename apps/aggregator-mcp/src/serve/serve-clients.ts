import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { DEFAULT_INHERITED_ENV_VARS } from '@modelcontextprotocol/client/stdio'
import { type AggregatorConfig, serveStdio } from '@pith-mcp/aggregator'
import { attempt } from '@pith-mcp/base/attempt'
import { messageOf } from '@pith-mcp/server-kit/run'
import { type Environment, UsageError } from '@pith-mcp/server-kit/settings'
import { parseConfig, type Settings } from '../config.ts'
import { openLogger } from '../log/text-logger.ts'
import { checkProfile } from '../open/open-aggregator.ts'
import { readConfigFiles } from '../read-config-files.ts'
import { type SharedClient, serveShared } from '../shared/serve-shared.ts'
import { openServing, type ServedAggregator, serveConsoleOnly } from './serve.ts'
import { fixedSettings } from './served-config.ts'

/** An aggregator for clients with the same settings and the same values of the variables it reads. */
interface Shared {
  /** Its files and folders. */
  place: string
  settings: string
  reads: ReturnType<typeof recorded>
  serving: Promise<ServedAggregator>
  clients: Set<SharedClient>
  shareMinutes: number
  /** Which folder its state is in. */
  state?: string | undefined
  closing?: NodeJS.Timeout
}

/** Milliseconds that the client which started this process has to connect. */
const connectingMs = 10_000

/** Serves the clients of this user, which reach this process by their shims. */
export async function serveClients(address: string): Promise<void> {
  const all = new Set<Shared>()
  const end = async (): Promise<void> => {
    const open = [...all].map(async ({ serving }) => (await serving).close())
    await Promise.allSettled(open)
    process.exit(0)
  }
  await serveShared({
    address,
    entry: new URL('main.js', import.meta.url).href,
    idleMs: () =>
      all.size === 0
        ? connectingMs
        : Math.max(...[...all].map(({ shareMinutes }) => shareMinutes * 60_000)),
    serve: (client) =>
      serve(client, all).then(
        () => client.exit(0),
        (error: unknown) => {
          const isUsage = error instanceof UsageError
          client.log(`aggregator-mcp: ${messageOf(error)}`)
          if (isUsage) client.log('Try aggregator-mcp --help.')
          client.exit(isUsage ? 2 : 1)
        },
      ),
    onEnd: () => void end(),
  })
}

async function serve(client: SharedClient, all: Set<Shared>): Promise<void> {
  const { settings } = parseConfig(client.argv, client.env)
  const options = inFolder(settings, client.cwd)
  const place = stateOf(options)
  const known = client.wants && place && [...all].find(({ state }) => state === place)
  if (known) return serveConsoleOnly(await known.serving, options, client.log)
  const reads = recorded(client.env)
  const config = await readConfigFiles(options, reads.environment)
  checkProfile(options, config.settings)
  // The profile of one client does not decide about changes of the file.
  const shared =
    find(all, options, config, client) ?? open({ ...options, profile: undefined }, config, reads)
  all.add(shared)
  clearTimeout(shared.closing)
  shared.clients.add(client)
  try {
    const serving = await shared.serving
    shared.state ??= stateOf(options)
    if (client.wants === 'console') return await serveConsoleOnly(serving, options, client.log)
    serving.update(config)
    await served(client, serving, options)
  } catch (error) {
    if (shared.clients.size === 1) all.delete(shared)
    throw error
  } finally {
    shared.clients.delete(client)
    if (shared.clients.size === 0) closeLater(shared, all)
  }
}

const find = (
  all: ReadonlySet<Shared>,
  options: Settings,
  config: AggregatorConfig,
  { env }: SharedClient,
): Shared | undefined =>
  [...all].find(
    ({ place, settings, reads, state }) =>
      place === placeOf(options) &&
      // It may have been removed meanwhile.
      (state === undefined || state === stateOf(options)) &&
      settings === keyOf(options, config) &&
      reads.isAlike(env),
  )

function open(options: Settings, config: AggregatorConfig, reads: Shared['reads']): Shared {
  const clients = new Set<SharedClient>()
  const write = (line: string): void => {
    for (const one of clients) one.log(line)
  }
  const serving = openLogger(options.logFormat, options.logLevel, write).then((logger) =>
    openServing(options, logger, reads.environment, config),
  )
  const { shareMinutes } = options
  const [place, settings] = [placeOf(options), keyOf(options, config)]
  return { place, settings, reads, serving, clients, shareMinutes }
}

function closeLater(shared: Shared, all: Set<Shared>): void {
  shared.closing = setTimeout(() => {
    all.delete(shared)
    void shared.serving.then(({ close }) => close()).catch(() => {})
  }, shared.shareMinutes * 60_000)
  shared.closing.unref()
}

/** Resolves when the client has disconnected. */
function served(
  { socket, cwd }: SharedClient,
  serving: ServedAggregator,
  options: Settings,
): Promise<void> {
  const access = {
    mode: options.mode,
    folder: cwd,
    get profile() {
      return options.profile ?? serving.config().settings.profile
    },
  }
  return new Promise((onClose) => {
    serveStdio(serving.opened.aggregator, { input: socket, output: socket, access, onClose })
    socket.resume()
  })
}

const inFolder = (settings: Settings, folder: string): Settings => ({
  ...settings,
  config: settings.config.map((path) => resolve(folder, path)),
  state: settings.state === false ? false : resolve(folder, settings.state),
})

const placeOf = ({ config, state }: Settings): string =>
  JSON.stringify([...config, state].map((path) => path && attempt(() => realpathSync(path), path)))

const stateOf = ({ state }: Settings): string | undefined =>
  state === false ? undefined : attempt(() => String(statSync(state).ino), undefined)

/** All settings but those that each client has for itself, and those of the file that stay. */
function keyOf(options: Settings, config: AggregatorConfig): string {
  const { profile, mode, shareMinutes, config: _, state: __, ...rest } = options
  return JSON.stringify(rest) + fixedSettings(config.settings)
}

/** Variables by which one who uses several terminals need not tell them apart. */
const ofTerminal = ['SHELL', 'TERM']

/** An environment that remembers what was read of it, with what processes of servers inherit. */
function recorded(variables: Environment) {
  const names = new Set(DEFAULT_INHERITED_ENV_VARS.filter((name) => !ofTerminal.includes(name)))
  return {
    environment: new Proxy(variables, {
      get(target, name) {
        names.add(String(name))
        return target[String(name)]
      },
    }),
    isAlike: (other: Environment): boolean =>
      [...names].every((name) => other[name] === variables[name]),
  }
}
