import { expect, test } from 'vitest'
import { allLanguages } from '../../src/languages/all-languages.ts'
import { placesOf, readSource } from './read-source.ts'

const pathsIn = async (file: string, text: string): Promise<string[]> =>
  placesOf(await readSource(file, text)).map(({ path }) => path)

/** A definition `inner` within a string. */
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are of other languages.
const interpolations: Readonly<Record<string, string>> = {
  javascript: 'const a = `${function inner() {}}`\n',
  typescript: 'const a = `${function inner() {}}`\nlet b: `${{ inner(): void }}`\n',
  tsx: 'const a = `${function inner() {}}`\n',
  java: 'class A { String a = "\\{new Object() { void inner() {} }}"; }\n',
  csharp: 'class A { string a = $"{b(() => { int inner() { return 1; } })}"; }\n',
  ruby: 'a = "#{INNER = ->{ 1 }}"\n',
  php: '<?php $a = "{$f($inner = function() {})}";\n',
  kotlin: 'val a = "${ run { fun inner() {} } }"\n',
  scala: 'val a = s"${ { def inner = 1; 1 } }"\n',
  swift: 'let a = "\\(b { func inner() {} })"\n',
  dart: "final a = '${() { int inner() { return 1; } }}';\n",
  bash: 'a="$(inner() { :; })"\n',
}
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are of other languages.

test.for(
  allLanguages
    .filter(({ interpolated, regions }) => interpolated && !regions)
    .map(({ name }) => name),
)('what %s defines within a string is not a symbol', async (name) => {
  const { extensions } = allLanguages.find((language) => language.name === name) ?? {}
  const paths = await pathsIn(`a${extensions?.[0]}`, interpolations[name] as string)
  expect(paths.filter((path) => path !== 'A')).toEqual([])
})

test.each([
  ['of lines', `// ${'-'.repeat(2 ** 13)}\n`],
  ['in one line', `/*${'-'.repeat(2 ** 13)}*/ `],
])('a class with megabytes of comments %s has all its methods, once', async (_, comment) => {
  const filler = comment.repeat(2 ** 7)
  const text = `class A {\n  first() {}\n${filler}\n  middle() {}\n${filler}last() {}\n}\nfunction f() {}\n`
  expect(await pathsIn('a.js', text)).toEqual(['A', 'A/first', 'A/middle', 'A/last', 'f'])
})

test('a quotation mark that has no node of its own belongs to the function it ends', async () => {
  const text = 'def a(b: Int): String = s"c $b"\n\ndef d = 1\n'
  const { symbols } = await readSource('a.scala', text)
  expect(text.slice(symbols[0]?.start, symbols[0]?.end)).toBe('def a(b: Int): String = s"c $b"')
})
