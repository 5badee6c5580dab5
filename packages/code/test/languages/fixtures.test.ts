import { expect, test } from 'vitest'
import { allLanguages, languageOf } from '../../src/languages/all-languages.ts'
import type { Language } from '../../src/languages/language.ts'
import { firstLines } from '../../src/outline/signature.ts'
import type { SourceFile } from '../../src/outline/source-file.ts'
import { cutPoints } from '../../src/paging/cut-points.ts'
import { outlineText, parseText } from '../../src/parse/parse-text.ts'
import { column, rowSize } from '../../src/parse/symbol-table.ts'
import { fixtures, fixtureText } from './fixtures.ts'
import { placesOf, readSource } from './read-source.ts'

test.for(fixtures)('%s has the symbols and the places to cut of its golden', async (name) => {
  const file = await readSource(name, fixtureText(name))
  expect(file.parsed.hasErrors).toBe(false)
  await expect(`${outline(file)}\n\n${cuts(file)}\n`).toMatchFileSnapshot(`fixtures/${name}.golden`)
})

test.for(fixtures)('%s has the same symbols in an outline, without tokens', async (name) => {
  const text = fixtureText(name)
  const language = languageOf(name, text) as Language
  const [outlined, parsed] = await Promise.all([
    outlineText(text, language, 20_000),
    parseText(text, language, 20_000),
  ])
  if ('unparsed' in outlined || 'unparsed' in parsed) throw new Error(`${name} is not parsed.`)
  const { rows, ...others } = parsed.symbols
  const untold = rows.map((value, at) => (at % rowSize === column.tokens ? 0 : value))
  expect(outlined.symbols).toEqual({ ...others, rows: untold })
})

test('each language has a fixture that is read as it', async () => {
  const names = await Promise.all(
    fixtures.map(async (name) => (await readSource(name, fixtureText(name))).language?.name),
  )
  expect(names).toEqual(fixtures.map((name) => name.slice(0, name.indexOf('/'))))
  expect(new Set(names)).toEqual(new Set(allLanguages.map(({ name }) => name)))
})

function outline(file: SourceFile): string {
  const places = placesOf(file)
  return file.symbols
    .map((symbol, at) => {
      const { path, kind, first, last } = places[at] as (typeof places)[number]
      return `${path} · ${kind} · ${first}–${last} · ${firstLines(file.text, symbol)}`
    })
    .join('\n')
}

/** Each place to cut: its line, how many statements are open there, and what the line says. */
function cuts(file: SourceFile): string {
  const { positions, depths } = cutPoints(file, { start: 0, body: 0, end: file.text.length })
  return positions
    .map((position, at) => {
      const line = file.lines.lineAt(position)
      return `${line} ✂${depths[at]} ${file.lines.text(line)}`
    })
    .join('\n')
}
