import { matchingPlaces, type Place } from '@pith-mcp/setup'
import { FileRefused, isTable, readJsonc, readText, valueAt } from '@pith-mcp/setup/files'
import { readToml } from '@pith-mcp/setup/toml'
import type { Client } from '../entry/client.ts'
import type { Surroundings } from '../entry/entry-context.ts'

/** A place that is there. */
export interface FoundPlace {
  client: Client
  place: Place
  /** Where the file really is, behind links. */
  path: string
  text: string
  /** What other files of the client say. */
  beside: Readonly<Record<string, unknown>>
}

/** One that cannot be looked at. */
export interface UnreadablePlace {
  client: Client
  file: string
  why: string
}

export interface Findings {
  found: FoundPlace[]
  unreadable: UnreadablePlace[]
}

export async function findPlaces(
  clients: readonly Client[],
  around: Surroundings,
): Promise<Findings> {
  const findings: Findings = { found: [], unreadable: [] }
  const seen = new Set<string>()
  const read = createReader()
  for (const client of clients) {
    const beside = await readBeside(client, around)
    for (const alternatives of client.places(around))
      for (const one of await firstThere(client, alternatives, read)) {
        const way = 'why' in one ? [one.file] : [one.path, ...one.place.at]
        const key = JSON.stringify(way)
        // Two names may lead to one file.
        if (seen.has(key)) continue
        seen.add(key)
        if ('why' in one) findings.unreadable.push(one)
        else findings.found.push({ ...one, beside })
      }
  }
  return findings
}

async function firstThere(
  client: Client,
  alternatives: readonly Place[],
  read: Reader,
): Promise<(UnreadablePlace | Omit<FoundPlace, 'beside'>)[]> {
  for (const alternative of alternatives) {
    const there: (UnreadablePlace | Omit<FoundPlace, 'beside'>)[] = []
    for (const place of await matchingPlaces(alternative)) {
      const { file } = place
      try {
        const { path, text, data } = (await read(client, file)) ?? {}
        if (path !== undefined && text !== undefined && valueAt(data, place.at) !== undefined)
          there.push({ client, place, path, text })
      } catch (error) {
        if (!(error instanceof FileRefused)) throw error
        there.push({ client, file, why: error.message })
      }
    }
    if (there.length > 0) return there
  }
  return []
}

type Reader = ReturnType<typeof createReader>

/** Reads each file once: one may be long and have many places. */
function createReader() {
  const files = new Map<
    string,
    Promise<{ path: string; text: string; data: unknown } | undefined>
  >()
  const readAnew = async ({ format }: Client, file: string) => {
    const read = await readText(file)
    if (read === undefined) return undefined
    const { data } = format === 'toml' ? readToml(read.text) : readJsonc(read.text)
    return { ...read, data }
  }
  return (client: Client, file: string) => {
    const reading = files.get(file) ?? readAnew(client, file)
    files.set(file, reading)
    return reading
  }
}

/** Files that only tell more: one that cannot be read tells nothing. */
async function readBeside(
  client: Client,
  around: Surroundings,
): Promise<Readonly<Record<string, unknown>>> {
  const beside: Record<string, unknown> = {}
  for (const [name, path] of Object.entries(client.beside?.(around) ?? {})) {
    try {
      const read = await readText(path)
      const data = read && readJsonc(read.text).data
      if (isTable(data)) beside[name] = data
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error
    }
  }
  return beside
}
