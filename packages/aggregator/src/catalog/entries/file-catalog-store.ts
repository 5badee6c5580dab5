import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '#base/replace-file'
import { catalogEntry } from './catalog-entry.ts'
import type { CatalogStore } from './catalog-store.ts'
import { itemKinds } from './list-items.ts'
import { isWithinBounds } from './within-bounds.ts'

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
          const entry = catalogEntry.parse(JSON.parse(text))
          // Another version may have stored more.
          return text.length <= alwaysWithin || isWithinBounds(entry, itemKinds) ? [entry] : []
        } catch {
          onLog(`${join(folder, name)} cannot be read; the server is queried again.`)
          return []
        }
      })
    },
    write(entry) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        replaceFile(fileOf(entry.server), JSON.stringify(entry), { isDurable: false })
      } catch (error) {
        onLog(`The lists of ${entry.server} could not be stored: ${(error as Error).message}.`)
      }
    },
  }
}
