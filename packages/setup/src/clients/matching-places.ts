import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Place } from './client-files.ts'

/** One place for each name that `*` stands for; the place itself where there is none in it. */
export async function matchingPlaces(place: Place): Promise<Place[]> {
  const [before = '', after] = place.file.split('*')
  if (after === undefined) return [place]
  const folder = dirname(`${before}x`)
  const start = before.slice(folder.length + 1)
  const names = await readdir(folder).catch((): string[] => [])
  return names
    .filter((name) => name.startsWith(start))
    .sort()
    .map((name) => ({ ...place, file: join(folder, name + after) }))
}
