import { readdirSync, readFileSync } from 'node:fs'
import { cleanHtml, type ParseOptions, rehypeParse5 } from '@pith-mcp/cleaner'
import { unified } from 'unified'
import { VFile } from 'vfile'
import { describe, expect, test } from 'vitest'
import { compare, fastTreeOf, treeOf } from './compare-trees.ts'
import { RandomHtml } from './random-html.ts'

const folder = new URL('tree-construction/', import.meta.url)
const cases = readdirSync(folder)
  .filter((name) => name.endsWith('.dat'))
  .map((name): [string, string[]] => [name, inputsOf(readFileSync(new URL(name, folder), 'utf8'))])

function inputsOf(file: string): string[] {
  return file
    .split(/^#data\n/m)
    .slice(1)
    .map((one) => one.slice(0, one.search(/^#errors$/m)).replace(/\n$/, ''))
}

describe('tree construction', () => {
  test.each(cases)('%s', (_, inputs) => {
    expect(inputs.length).toBeGreaterThan(0)
    expect(compare(inputs).different).toEqual([])
  })

  test('most cases are not handed over, though they are of errors', () => {
    const { all, fast } = compare(cases.flatMap(([, inputs]) => inputs))
    expect(fast / all).toBeGreaterThan(0.5)
  })
})

test.each([
  '<p><b>a<select><option>b<optgroup label=c><option>d<hr></optgroup></select>e</b>',
  '<select><b>a<div>b<style>c</style><script>d</script><option>e<select><i>f',
  '<select><option>a<input><select><textarea>b</textarea><p>c',
  '<table><tr><td><select><option>a</tr><tr><td><select><td>b<select></caption>c</table>d',
  '<table><tr><td><template><select><td>a</table>b</template>c</table>d',
  '<template><title>a</title></template><title>b</title><p>c',
  '<head></head><template>a<body class=b></template><link><body>c',
  '<p><b>a<template><i>b</b><table><tr><td>c</template>d',
  '<table><colgroup><template><p>a</template><col><tr><template></tr></template><td>b',
  '<form><template><form>a</form><form></template><input></form>b',
  '<select><option><template><p>a<select></template>b<template></select>c',
  '<select><option>a</optgroup>b<option>c</select>d',
  '<table><tr><td><select><option>a<col>b</colgroup>c',
  '<template><small><object></template>a',
  '<p>a</br>b<nobr>c</nobr><p><nobr>d',
])('not handed over: %s', (html) => {
  expect(fastTreeOf(html)).toEqual({ tree: treeOf(html) })
})

const isLong = process.env['LONG'] === '1'

test('random documents', () => {
  const seed = isLong ? Date.now() % 2 ** 31 : 20_261
  if (isLong) console.log(`random documents: seed ${seed}`)
  const random = new RandomHtml(
    seed,
    cases.flatMap(([, inputs]) => inputs),
  )
  const { user } = process.cpuUsage()
  const isTime = () => process.cpuUsage().user - user < 15e6
  function* documents() {
    for (let count = 0; isLong ? count % 100 > 0 || isTime() : count < 4_000; count++)
      yield random.document()
  }
  const { all, different, fast } = compare(documents())
  if (isLong) console.log(`${all} documents, ${fast} of them not handed over`)
  expect(different).toEqual([])
  expect(fast / all).toBeGreaterThan(0.3)
}, 90_000)

describe('parser', () => {
  const fixtures = new URL('../fixtures/', import.meta.url)
  const parserOf = (html: string, options?: ParseOptions): string | undefined => {
    const file = new VFile(html)
    unified()
      .use(rehypeParse5, options ?? {})
      .parse(file)
    return file.data.parser
  }

  test.for(readdirSync(fixtures))('parse5 alone reads the same page: %s', (name) => {
    const html = readFileSync(new URL(`${name}/input.html`, fixtures), 'utf8')
    expect(cleanHtml(html, { parser: 'parse5' })).toEqual(cleanHtml(html))
  })

  test('ours hands over what it does not surely read alike; parse5 hands over nothing', () => {
    expect(parserOf('<p>a')).toBe('fast')
    expect(parserOf('<table><b>x<tr><td>y')).toBe('parse5')
    expect(parserOf('<p>a', { parser: 'parse5' })).toBe('parse5')
  })

  test('another name is an error that says the names', () => {
    expect(() => cleanHtml('<p>a', { parser: 'gumbo' as never })).toThrow(
      /'fast' or 'parse5', not "gumbo"/,
    )
  })
})
