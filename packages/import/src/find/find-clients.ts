import { allClients, type Client, isInstalled, userFileOf } from '@pith-mcp/server-kit/clients'
import { isTable, readConfigText, valueAt } from '@pith-mcp/server-kit/files'
import type { HostEnvironment } from '../entry/host-environment.ts'
import { configsOf, flagsIn, isAggregator } from '../entry/own-entry.ts'
import { type FoundConfig, findConfigFiles } from './find-config-files.ts'

/**
 * The MCP clients of a user: their files, our entries there, and when each was last seen, by the
 * names that clients give. Names of no client that we support are at the end.
 */
export async function findClients(
  activity: ReadonlyMap<string, Partial<Record<'lastSeen' | 'lastCall', string | undefined>>>,
  host: HostEnvironment,
) {
  const { files: configs, unreadable } = await findConfigFiles(allClients, host)
  const names = [...activity.keys()]
  const clients = allClients.map(async (client) => {
    const file = await userFileOf(client, host)
    const times = names.filter((name) => isNameOf(client, name)).map((name) => activity.get(name))
    const entries = configs
      .filter((config) => config.client === client)
      .map((config) => entriesIn(config, host))
    return {
      name: client.name,
      title: client.title,
      file,
      isInstalled: await isInstalled(client, host),
      problem: unreadable.find((config) => config.client === client)?.reason,
      entries: (await Promise.all(entries)).flat(),
      lastSeen: latest(times.map((time) => time?.lastSeen)),
      lastCall: latest(times.map((time) => time?.lastCall)),
    }
  })
  const foreign = names.filter((name) => !allClients.some((client) => isNameOf(client, name)))
  const none = { file: undefined, isInstalled: false, problem: undefined, entries: [] }
  return [
    ...(await Promise.all(clients)),
    ...foreign.map((name) => ({ name, title: name, ...none, ...activity.get(name) })),
  ]
}

const latest = (times: readonly (string | undefined)[]): string | undefined =>
  times
    .filter((time) => time !== undefined)
    .sort()
    .at(-1)

/** Clients write their names in several ways. */
const letters = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const isNameOf = ({ name, title, infoName }: Client, text: string): boolean =>
  [letters(name), letters(title)].includes(letters(text)) ||
  (infoName !== undefined && letters(text).startsWith(letters(infoName)))

async function entriesIn({ client, location, path, text }: FoundConfig, host: HostEnvironment) {
  const servers = valueAt(await readConfigText(client.format, text), location.at)
  return Object.entries(isTable(servers) ? servers : {}).flatMap(([name, raw]) => {
    if (!isTable(raw) || !isAggregator(raw)) return []
    const options = [
      ...configsOf(raw, host),
      ...flagsIn(raw, '--profile', '-p').map((profile) => `profile ${profile}`),
      ...flagsIn(raw, '--mode', '-m').map((mode) => `mode ${mode}`),
    ]
    return { name, file: path, folder: location.folder, options }
  })
}
