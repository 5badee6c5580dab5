import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceFile } from '../../files/replace-file.ts'
import type { CatalogEntry } from './catalog-entry.ts'
import type { CatalogStore } from './catalog-store.ts'
import { itemKinds } from './list-items.ts'
import { isWithinBounds } from './within-bounds.ts'

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
    skills: items,
    unread: z
      .array(z.object({ kind: z.string(), name: z.string(), why: z.string() }))
      .max(200)
      .optional(),
    beyond: z.record(z.string(), z.number()).optional(),
  }),
)

const maxFileLength = 64 * 1024 * 1024
/** Characters. A file of this length cannot exceed the bounds. */
const alwaysWithin = 30_000

/** One file per server, replaced atomically. */
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
          if (statSync(join(folder, name)).size > maxFileLength) throw new Error('it is too long')
          const text = readFileSync(join(folder, name), 'utf8')
          const found = entries.parse(JSON.parse(text)) as CatalogEntry[]
          // Another version may have stored more.
          return text.length > alwaysWithin
            ? found.filter((entry) => isWithinBounds(entry, itemKinds))
            : found
        } catch {
          onLog(`${join(folder, name)} cannot be read; the server is queried again.`)
          return []
        }
      })
    },
    write(server, entries) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        replaceFile(fileOf(server), JSON.stringify(entries))
      } catch (error) {
        onLog(`The lists of ${server} could not be stored: ${(error as Error).message}.`)
      }
    },
  }
}
