import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The scripts have no types of their own. */
const load = (name: string) =>
  import(new URL(`../../scripts/house/${name}.mjs`, import.meta.url).href) as Promise<unknown>

const { walks } = (await load('walks')) as {
  walks(): { name: string; files: number; functions: number }[]
}
const limits = JSON.parse(readFileSync('scripts/house/limits.json', 'utf8')) as {
  walks: Record<string, number>
}

// Three processes with the profiler.
test.skipIf(!process.env['LONG'])('a page and a call pass through no more files than that', () => {
  const counted = walks()
  expect(counted.map(({ name }) => name)).toEqual(Object.keys(limits.walks))
  for (const { name, files } of counted) {
    // A walk that ends early would be within every limit.
    expect(files, name).toBeGreaterThan(30)
    expect(files, name).toBeLessThanOrEqual(limits.walks[name] ?? 0)
  }
})
