import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDocs, type Docs } from '@pith-mcp/docs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** A word of letters only, another for each number: nothing else of the page is like it. */
const word = (number: number): string =>
  `zq${[...String(number).padStart(3, '0')].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')}x`

const filler = 'The ferry leaves the harbour and comes back before the evening of that day. '
const paragraphs = Array.from(
  { length: 60 },
  (_, at) => `<p>${filler}Here stands ${word(at)} once. ${filler}</p>`,
)
const rows = Array.from(
  { length: 120 },
  (_, at) => `<tr><td>limit ${at}</td><td>${word(100 + at)} a day</td></tr>`,
)
const items = Array.from(
  { length: 80 },
  (_, at) => `<li>${filler}The ${word(300 + at)} clause.</li>`,
)
const lines = Array.from({ length: 150 }, (_, at) => `call_${word(400 + at)}(harbour, ${at})`)
const sections = {
  prose: paragraphs.join('\n'),
  table: `<table><thead><tr><th>Quota</th><th>Value</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
  list: `<ul>${items.join('')}</ul>`,
  code: `<p>All the calls there are.</p><pre><code class="language-py">${lines.join('\n')}</code></pre>`,
}

let folder: string
let docs: Docs

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-test-'))
  const all = Object.entries(sections).map(([id, body]) => `<h2 id="${id}">About ${id}</h2>${body}`)
  await writeFile(
    join(folder, 'long.html'),
    `<main><h1>Long</h1><p>Intro.</p>${all.join('')}</main>`,
  )
  const huge = `<p>${filler.repeat(4_000)}Then ${word(700)} comes.</p><p>${filler.repeat(500)}</p>`
  await writeFile(join(folder, 'huge.html'), `<main><h1>Huge</h1>${huge}</main>`)
  docs = await createDocs({ sources: [folder] })
})

afterAll(async () => {
  await docs.close()
  await rm(folder, { recursive: true })
})

const planted = [
  ...[0, 1, 2, 5, 11, 23, 37, 48, 59].map((at) => ['prose', word(at)] as const),
  ...[0, 30, 95, 119].map((at) => ['table', word(100 + at)] as const),
  ...[0, 40, 70, 79].map((at) => ['list', word(300 + at)] as const),
  ...[0, 60, 149].map((at) => ['code', `call_${word(400 + at)}`] as const),
]

test.each(planted)('search finds what stands anywhere in the %s: %s', async (id, planted) => {
  const { hits } = await docs.search(planted)
  expect(hits[0]?.url).toMatch(new RegExp(`long\\.html#${id}$`))
  expect(hits[0]?.excerpt).toContain(planted)
})

test('search finds what stands behind three hundred thousand characters', async () => {
  const { hits } = await docs.search(word(700))
  expect(hits[0]?.url).toMatch(/huge\.html/)
  expect(hits[0]?.excerpt).toContain(word(700))
})

test('an excerpt has words that stand far apart', async () => {
  const { hits } = await docs.search(`${word(3)} ${word(55)}`)
  expect(hits[0]?.excerpt).toContain(word(3))
  expect(hits[0]?.excerpt).toContain(word(55))
  expect(hits[0]?.excerpt.length).toBeLessThanOrEqual(200)
})

test('the excerpt of a row comes with the header of its table', async () => {
  const { hits } = await docs.search(word(195))
  expect(hits[0]?.excerpt).toMatch(new RegExp(`Quota.*Value.*limit 95.*${word(195)}`))
})

describe('what is found in a page', () => {
  const find = async (query: string, options = {}) => {
    const { sections } = await docs.find('long.html', query, options)
    const [first] = sections
    if (!first) throw new Error(`Nothing is found for ${query}.`)
    return first
  }

  test.each(planted)('has the words, wherever in the %s they stand: %s', async (id, planted) => {
    for (const maxLength of [400, 1_000, 5_000]) {
      const found = await find(planted, { maxLength })
      expect(found.id).toBe(id)
      expect(found.excerpt.markdown).toContain(planted)
    }
  })

  test('begins near the match, and goes on by its token', async () => {
    const { excerpt } = await find(word(59))
    expect(excerpt.start).toBeGreaterThan(8_000)
    expect(excerpt.markdown.indexOf(word(59))).toBeLessThan(400)
    const first = await find(word(20), { maxLength: 1_000 })
    const page = first.excerpt.nextPage
    const next = await docs.section('long.html', 'prose', { ...(page && { page }) })
    expect(next.start).toBe(first.excerpt.end)
  })

  test('a row stands under the header of its table', async () => {
    const { excerpt } = await find(word(195), { maxLength: 1_000 })
    expect(excerpt.markdown).toMatch(/^\|\s*Quota\s*\|\s*Value\s*\|/)
    expect(excerpt.markdown).toContain(`${word(195)} a day`)
  })

  test('code that has the words is given, and its token is of the text with code', async () => {
    const { excerpt, includesCode } = await find(`call_${word(549)}`, { maxLength: 1_000 })
    expect(includesCode).toBe(true)
    expect(excerpt.markdown).toMatch(/^```py\n/)
    const early = await find(`call_${word(450)}`, { maxLength: 1_000 })
    const page = early.excerpt.nextPage ?? ''
    const next = await docs.section('long.html', 'code', { page, includeCodeBlocks: true })
    expect(next.start).toBe(early.excerpt.end)
  })

  test('words that stand far apart are all there, within the length', async () => {
    const { excerpt, further } = await find(`${word(3)} ${word(55)}`, { maxLength: 1_500 })
    const parts = [excerpt, ...further].map(({ markdown }) => markdown)
    expect(parts.join()).toContain(word(3))
    expect(parts.join()).toContain(word(55))
    expect(parts.join('').length).toBeLessThanOrEqual(1_500)
  })

  test('every word that matched is shown, however small the room and wherever it stands', async () => {
    const names = ['zebra', 'koala', 'quokka', 'okapi', 'wombat']
    const lost: string[] = []
    for (let seed = 0; seed < 12; seed++) {
      const parts = Array.from({ length: 60 }, (_, at) => {
        const name = (at * 7 + seed * 13) % 29 === 0 ? `${names[(at + seed) % 5]} ` : ''
        const text = `${filler.slice(0, 20 + ((at * 31) % 60))}${name}${filler}`
        return at % 4 === 0 ? `<ul><li>${text}</li><li>x</li></ul>` : `<p>${text}</p>`
      })
      const path = `fuzz-${seed}.html`
      await writeFile(join(folder, path), `<main><h1>F</h1><h2>S</h2>${parts.join('')}</main>`)
      for (const maxLength of [200, 300, 700, 2_000]) {
        const { sections } = await docs.find(path, names.join(' '), { maxLength, maxSections: 1 })
        for (const { excerpt, further, missing, reasons } of sections) {
          const shown = [excerpt, ...further].map(({ markdown }) => markdown)
          expect(shown.join('').length).toBeLessThanOrEqual(maxLength)
          for (const name of names)
            if (
              reasons.some((reason) => reason.includes(name)) &&
              !shown.join(' ').includes(name)
            ) {
              const isSaid = missing.some((term) => name.startsWith(term))
              if (!isSaid || maxLength >= 700) lost.push(`${seed} ${maxLength} ${name}`)
            }
        }
      }
    }
    expect(lost).toEqual([])
  })

  test('a row and a sentence are whole, also where there is little room', async () => {
    const row = await find(word(195), { maxLength: 300 })
    expect(row.excerpt.markdown).toContain(`limit 95|${word(195)} a day`)
    const prose = await find(word(40), { maxLength: 300 })
    expect(prose.excerpt.markdown).toMatch(
      new RegExp(`^(?:The ferry|Here stands) .*${word(40)} once`, 's'),
    )
  })

  test('a section that fits is given from its beginning', async () => {
    const { excerpt } = await find('Intro')
    expect(excerpt.start).toBe(0)
  })
})
