import { readdirSync, readFileSync } from 'node:fs'

const fixturesFolder = new URL('fixtures/', import.meta.url)

/** Source files below `fixtures/`, as `language/file`. */
export const fixtures: readonly string[] = readdirSync(fixturesFolder).flatMap((language) =>
  readdirSync(new URL(`${language}/`, fixturesFolder))
    .filter((file) => !file.endsWith('.golden'))
    .map((file) => `${language}/${file}`),
)

export const fixtureText = (name: string): string =>
  readFileSync(new URL(name, fixturesFolder), 'utf8')
