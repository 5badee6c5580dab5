import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { compare } from './compare-trees.ts'
import { createRandom } from './random-html.ts'

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url))
/** Pages that nobody here wrote; `pnpm bench corpus` fetches them. */
const corpus = fileURLToPath(new URL('../../../../bench/.corpus/', import.meta.url))
const maxPages = 200

const isLong = process.env['LONG'] === '1'

function pagesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.name.endsWith('.html'))
    .slice(0, maxPages)
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
}

const faults = [
  ...['<b>', '<i>', '<a href=x>', '<p>', '<div>', '<li>', '<td>', '<tr>', '<table>', '<select>'],
  ...['<svg>', '<math>', '<template>', '<form>', '<button>', '<nobr>', '<title>', '<body class=b>'],
  ...['</p>', '</div>', '</b>', '</a>', '</table>', '</li>', '</svg>', '</template>', '</body>'],
  ...['</br>', '<br/>', '<p id=a id=b>', '<td a=1 A=2>', '<!-- x -->', '<!--', '<!doctype html>'],
  ...[
    '<![CDATA[x]]>',
    '&amp',
    '&notit;',
    '&#x41',
    '&#0;',
    '\0',
    '<',
    '</',
    '<p ',
    '<a href="',
    '"',
  ],
]

/** A piece of a page with one to four faults, half of the time after a doctype. */
function mutant(pages: readonly string[], random: () => number): string {
  const below = (count: number): number => Math.floor(random() * count)
  const page = pages[below(pages.length)] ?? ''
  const from = below(page.length)
  let html = page.slice(from, from + 50 + below(1500))
  for (let left = 1 + below(4); left > 0; left--) {
    const at = below(html.length)
    const fault = random() < 0.2 ? '' : (faults[below(faults.length)] ?? '')
    html = html.slice(0, at) + fault + html.slice(at + (fault === '' ? below(20) : 0))
  }
  return random() < 0.5 ? `<!doctype html>${html}` : html
}

test('pieces of real pages with faults have the tree of parse5, or are handed over', () => {
  const seed = isLong ? Date.now() % 2 ** 31 : 20_262
  if (isLong) console.log(`mutants: seed ${seed}`)
  const pages = [...pagesOf(fixtures), ...(isLong && existsSync(corpus) ? pagesOf(corpus) : [])]
  const random = createRandom(seed)
  const { user } = process.cpuUsage()
  function* documents() {
    const isTime = () => process.cpuUsage().user - user < 60e6
    for (let count = 0; isLong ? count % 100 > 0 || isTime() : count < 300; count++)
      yield mutant(pages, random)
  }
  const { all, different, fast } = compare(documents())
  if (isLong) console.log(`${all} mutants, ${fast} of them not handed over`)
  expect(different).toEqual([])
  expect(fast / all).toBeGreaterThan(0.2)
}, 900_000)
