import { type Client, type ConfigLocation, matchingLocations } from '@pith-mcp/server-kit/clients'
import {
  FileRefused,
  isTable,
  readConfigText,
  readJsonc,
  readText,
  valueAt,
} from '@pith-mcp/server-kit/files'
import type { HostEnvironment } from '../entry/host-environment.ts'

/** A file of a client that exists. */
export interface FoundConfig {
  client: Client
  location: ConfigLocation
  /** The path of the file, with links resolved. */
  path: string
  text: string
  /** The content of `Client.otherFiles`. */
  otherFiles: Readonly<Record<string, unknown>>
}

/** A file of a client that cannot be read. */
export interface UnreadableConfig {
  client: Client
  file: string
  reason: string
}

export interface Findings {
  files: FoundConfig[]
  unreadable: UnreadableConfig[]
}

export async function findConfigFiles(
  clients: readonly Client[],
  host: HostEnvironment,
): Promise<Findings> {
  const findings: Findings = { files: [], unreadable: [] }
  const keys = new Set<string>()
  const read = createReader()
  for (const client of clients) {
    const otherFiles = await readOtherFiles(client, host)
    for (const alternatives of client.locations(host))
      for (const entry of await firstExisting({ client, otherFiles }, alternatives, read)) {
        const path = 'reason' in entry ? [entry.file] : [entry.path, ...entry.location.at]
        const key = JSON.stringify(path)
        // Two paths may be links to one file.
        if (keys.has(key)) continue
        keys.add(key)
        if ('reason' in entry) findings.unreadable.push(entry)
        else findings.files.push(entry)
      }
  }
  return findings
}

async function firstExisting(
  { client, otherFiles }: Pick<FoundConfig, 'client' | 'otherFiles'>,
  alternatives: readonly ConfigLocation[],
  read: Reader,
): Promise<(UnreadableConfig | FoundConfig)[]> {
  for (const alternative of alternatives) {
    const existing: (UnreadableConfig | FoundConfig)[] = []
    for (const location of await matchingLocations(alternative)) {
      const { file } = location
      try {
        const { path, text, data } = (await read(client, file)) ?? {}
        if (path !== undefined && text !== undefined && valueAt(data, location.at) !== undefined)
          existing.push({ client, location, path, text, otherFiles })
      } catch (error) {
        if (!(error instanceof FileRefused)) throw error
        existing.push({ client, file, reason: error.message })
      }
    }
    if (existing.length > 0) return existing
  }
  return []
}

type Reader = ReturnType<typeof createReader>

/** Reads each file once: a file may be long and hold the servers of many folders. */
function createReader() {
  const files = new Map<
    string,
    Promise<{ path: string; text: string; data: unknown } | undefined>
  >()
  const readFresh = async ({ format }: Client, file: string) => {
    const read = await readText(file)
    if (read === undefined) return undefined
    return { ...read, data: await readConfigText(format, read.text) }
  }
  return (client: Client, file: string) => {
    const reading = files.get(file) ?? readFresh(client, file)
    files.set(file, reading)
    return reading
  }
}

/** Read `Client.otherFiles`. Files that cannot be read are skipped. */
async function readOtherFiles(
  client: Client,
  host: HostEnvironment,
): Promise<Readonly<Record<string, unknown>>> {
  const contents: Record<string, unknown> = {}
  for (const [name, path] of Object.entries(client.otherFiles?.(host) ?? {})) {
    try {
      const read = await readText(path)
      const data = read && readJsonc(read.text).data
      if (isTable(data)) contents[name] = data
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error
    }
  }
  return contents
}
