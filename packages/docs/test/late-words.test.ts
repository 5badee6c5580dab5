import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDocs, type Docs } from '@pith-mcp/docs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'

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

const folder = temporaryFolder()
let docs: Docs

beforeAll(async () => {
  const all = Object.entries(sections).map(([id, body]) => `<h2 id="${id}">About ${id}</h2>${body}`)
  await writeFile(
    join(folder, 'long.html'),
    `<main><h1>Long</h1><p>Intro.</p>${all.join('')}</main>`,
  )
  const huge = `<p>${filler.repeat(4_000)}Then ${word(700)} comes.</p><p>${filler.repeat(500)}</p>`
  await writeFile(join(folder, 'huge.html'), `<main><h1>Huge</h1>${huge}</main>`)
  docs = await createDocs({ sources: [folder] })
})

afterAll(() => docs.close())

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
      expect(found.markdown).toContain(planted)
    }
  })

  test('does not begin in the middle of a sentence', async () => {
    for (const maxLength of [400, 1_000, 3_000]) {
      const { markdown } = await find(word(59), { maxLength })
      for (const passage of markdown.split(/^…\n?/m))
        if (passage !== '') expect(passage).toMatch(/^[A-Z]/)
    }
  })

  test('a row stands under the header of its table', async () => {
    const { markdown } = await find(word(195), { maxLength: 1_000 })
    expect(markdown).toMatch(/^\|\s*Quota\s*\|\s*Value\s*\|\n\|-/m)
    expect(markdown).toContain(`${word(195)} a day`)
  })

  test('code that has the words is given in lines, between its fences', async () => {
    const { markdown, includesCode } = await find(`call_${word(549)}`, { maxLength: 1_000 })
    expect(includesCode).toBe(true)
    expect(markdown).toMatch(/^```py\n/m)
    for (const [block] of markdown.matchAll(/^```py\n[^`]*```$/gm))
      expect(block).toMatch(/call_\w+\(/)
    expect((markdown.match(/^```/gm)?.length ?? 0) % 2).toBe(0)
  })

  test('words that stand far apart are all there, within the length', async () => {
    const { markdown } = await find(`${word(3)} ${word(55)}`, { maxLength: 1_500 })
    expect(markdown).toContain(word(3))
    expect(markdown).toContain(word(55))
    expect(markdown.length).toBeLessThanOrEqual(1_500)
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
        for (const { markdown, missing, reasons } of sections) {
          expect(markdown.length).toBeLessThanOrEqual(maxLength)
          for (const name of names)
            if (reasons.some((reason) => reason.includes(name)) && !markdown.includes(name)) {
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
    expect(row.markdown).toContain(`limit 95|${word(195)} a day`)
    const prose = await find(word(40), { maxLength: 300 })
    expect(prose.markdown).toMatch(
      new RegExp(`^(?:…\n)?(?:The ferry|Here stands) .*${word(40)} once`, 's'),
    )
  })

  test('a section that fits is given from its beginning', async () => {
    const { markdown } = await find('Intro')
    expect(markdown).toMatch(/^Intro\./)
  })
})
