import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../files/replace-file.ts'
import type { CatalogEntry } from './catalog-entry.ts'
import type { CatalogStore } from './catalog-store.ts'

const items = z.array(z.record(z.string(), z.unknown()))
const entries = z.array(
  z.object({
    server: z.string(),
    abilities: z.string(),
    fingerprint: z.string(),
    era: z.enum(['legacy', 'modern']),
    capabilities: z.record(z.string(), z.unknown()),
    serverInfo: z.record(z.string(), z.unknown()).optional(),
    instructions: z.string().optional(),
    readAt: z.number(),
    tools: items,
    prompts: items,
    resources: items,
    resourceTemplates: items,
  }),
)

/** A file for each server. Files are replaced whole, so that no reader sees half of one. */
export function createFileCatalogStore(
  folder: string,
  onLog: (text: string) => void = () => {},
): CatalogStore {
  const fileOf = (server: string): string => join(folder, `${encodeURIComponent(server)}.json`)
  return {
    read() {
      let names: string[]
      try {
        names = readdirSync(folder).filter((name) => name.endsWith('.json'))
      } catch {
        return []
      }
      return names.flatMap((name) => {
        try {
          return entries.parse(
            JSON.parse(readFileSync(join(folder, name), 'utf8')),
          ) as CatalogEntry[]
        } catch {
          onLog(`${join(folder, name)} cannot be read; the server is asked again.`)
          return []
        }
      })
    },
    write(server, entries) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        replaceFile(fileOf(server), JSON.stringify(entries))
      } catch (error) {
        onLog(`What ${server} offers could not be kept: ${(error as Error).message}`)
      }
    },
  }
}
