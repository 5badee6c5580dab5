import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { HandOver } from '../../src/parse/hand-over.ts'
import { parseWellFormed } from '../../src/parse/parse-well-formed.ts'
import { parseWithParse5 } from '../../src/parse/parse-with-parse5.ts'
import { RandomHtml } from './random-html.ts'

const bounds = { maxElements: 100_000, checkTime: () => {} }

/** The tree without the parser's own links, in the order of its attributes. */
const treeOf = (html: string) => JSON.stringify(parseWithParse5(html, bounds))

/** The tree of the fast parse, or why the document was handed over. */
function fastTreeOf(html: string): { tree: string } | { reason: string } {
  try {
    return { tree: JSON.stringify(parseWellFormed(html, bounds).root) }
  } catch (error) {
    if (!(error instanceof HandOver))
      throw new Error(`Parsing ${JSON.stringify(html)}`, { cause: error })
    return { reason: error.message }
  }
}

const isDifferent = (html: string) => {
  const result = fastTreeOf(html)
  return 'tree' in result && result.tree !== treeOf(html)
}

/** The document without everything that its trees differ without. */
function smallest(document: string): string {
  let html = document
  for (let size = html.length >> 1; size > 0; size >>= 1)
    for (let at = 0; at < html.length; ) {
      const shorter = html.slice(0, at) + html.slice(at + size)
      if (isDifferent(shorter)) html = shorter
      else at += size
    }
  return html
}

/** Documents with different trees, and the share of those that were not handed over. */
function compare(documents: Iterable<string>) {
  const different: string[] = []
  let all = 0
  let fast = 0
  for (const html of documents) {
    all++
    const result = fastTreeOf(html)
    if ('reason' in result) continue
    fast++
    if (result.tree !== treeOf(html) && different.length < 5) different.push(smallest(html))
  }
  return { all, different, fast }
}

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
  const started = performance.now()
  function* documents() {
    for (let count = 0; isLong ? performance.now() - started < 45_000 : count < 4_000; count++)
      yield random.document()
  }
  const { all, different, fast } = compare(documents())
  if (isLong) console.log(`${all} documents, ${fast} of them not handed over`)
  expect(different).toEqual([])
  expect(fast / all).toBeGreaterThan(0.3)
}, 90_000)
