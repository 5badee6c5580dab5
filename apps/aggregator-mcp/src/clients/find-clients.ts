import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { allClients, type Client, matchingLocations } from '@pith-mcp/server-kit/clients'
import { isTable, readConfigText, valueAt } from '@pith-mcp/server-kit/files'
import type { ClientActivity } from '../attention/recent-activity.ts'
import { type HostEnvironment, hostEnvironment } from '../import/entry/host-environment.ts'
import { configsOf, flagsIn, isAggregator } from '../import/entry/own-entry.ts'
import { type FoundConfig, findConfigFiles } from '../import/find/find-config-files.ts'

/**
 * The MCP clients of the user of this process: their files, our entries there, and when each was last
 * seen, by the names that clients gave. Names that belong to none of them are in `others`.
 */
export async function findClients(activity: ReadonlyMap<string, ClientActivity>) {
  const host = hostEnvironment()
  const { found: configs, unreadable } = await findConfigFiles(allClients, host)
  const seen = [...activity].map(([name, times]) => {
    return { name, ...times, client: allClients.find((client) => isNameOf(client, name)) }
  })
  const clients = allClients.map(async (client) => {
    const file = await userFileOf(client, host)
    const own = configs.filter((config) => config.client === client)
    const folder = dirname(file)
    const times = seen.filter((entry) => entry.client === client)
    return {
      name: client.name,
      title: client.title,
      file,
      isInstalled: existsSync(file) || (folder !== host.home && existsSync(folder)),
      problem: unreadable.find((config) => config.client === client)?.reason,
      entries: (await Promise.all(own.map((config) => entriesIn(config, host)))).flat(),
      lastSeen: latest(times.map(({ lastSeen }) => lastSeen)),
      lastCall: latest(times.map(({ lastCall }) => lastCall)),
    }
  })
  return {
    clients: await Promise.all(clients),
    others: seen.filter(({ client }) => client === undefined).map(({ client: _, ...rest }) => rest),
  }
}

const latest = (times: readonly (string | undefined)[]): string | undefined =>
  times
    .filter((time) => time !== undefined)
    .sort()
    .at(-1)

/** Clients write their names in several ways. */
const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const isNameOf = ({ name, title, infoName }: Client, text: string): boolean =>
  [plain(name), plain(title)].includes(plain(text)) ||
  (infoName !== undefined && plain(text).startsWith(plain(infoName)))

/** Where `add CLIENT --user` writes. */
async function userFileOf(client: Client, host: HostEnvironment): Promise<string> {
  const locations = await Promise.all(client.target(host, 'user').map(matchingLocations))
  const files = locations.flat().map(({ file }) => file)
  return files.find((file) => existsSync(file)) ?? files.at(-1) ?? ''
}

async function entriesIn({ client, location, path, text }: FoundConfig, host: HostEnvironment) {
  const servers = valueAt(await readConfigText(client.format, text), location.at)
  return Object.entries(isTable(servers) ? servers : {}).flatMap(([name, raw]) =>
    isTable(raw) && isAggregator(raw)
      ? {
          name,
          file: path,
          folder: location.folder,
          config: configsOf(raw, host),
          profile: flagsIn(raw, '--profile', '-p').at(-1),
          mode: flagsIn(raw, '--mode', '-m').at(-1),
        }
      : [],
  )
}
