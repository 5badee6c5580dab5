import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceFile } from '#base/replace-file'
import { catalogEntry } from './catalog-entry.ts'
import type { CatalogStore } from './catalog-store.ts'
import { itemKinds } from './list-items.ts'
import { isWithinBounds } from './within-bounds.ts'

const catalogEntries = z.array(catalogEntry)

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
          const entries = catalogEntries.parse(JSON.parse(text))
          // Another version may have stored more.
          return text.length > alwaysWithin
            ? entries.filter((entry) => isWithinBounds(entry, itemKinds))
            : entries
        } catch {
          onLog(`${join(folder, name)} cannot be read; the server is queried again.`)
          return []
        }
      })
    },
    write(server, entries) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        replaceFile(fileOf(server), JSON.stringify(entries), { isDurable: false })
      } catch (error) {
        onLog(`The lists of ${server} could not be stored: ${(error as Error).message}.`)
      }
    },
  }
}
