import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ConfigLocation } from './location.ts'

/** One location for each match of `*`; the location itself if it has no `*`. */
export async function matchingLocations(location: ConfigLocation): Promise<ConfigLocation[]> {
  const [before = '', after] = location.file.split('*')
  if (after === undefined) return [location]
  const folder = dirname(`${before}x`)
  const start = before.slice(folder.length + 1)
  const names = await readdir(folder).catch((): string[] => [])
  return names
    .filter((name) => name.startsWith(start))
    .sort()
    .map((name) => ({ ...location, file: join(folder, name + after) }))
}
