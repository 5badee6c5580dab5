import {
  type ContentPage,
  createContent,
  describePage,
  estimateTokens,
  type Piece,
  pageAt,
  pageHeader,
  paginate,
} from '@pith-mcp/paginator'
import { countTokens } from '@pith-mcp/paginator/exact'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const bare = ({ text, before, after }: ContentPage): string =>
  text.slice(before.length, text.length - after.length)

const words = (count: number) =>
  Array.from({ length: count }, (_, index) => `word${index}`).join(' ')

describe('where a page ends', () => {
  test('at a piece, when that fills most of it', () => {
    const pieces = [
      { kind: 'text', text: `${'a'.repeat(80)}\n\n` },
      { kind: 'text', text: 'b'.repeat(80) },
    ]
    expect(pageAt(createContent(pieces), 0, 100)).toMatchObject({ end: 82, next: 82 })
  })

  test('at a piece that fills three quarters of it, and further on if it fills less', () => {
    const endAfter = (length: number) => {
      const first = { kind: 'text', text: `${'a'.repeat(length - 2)}\n\n` }
      return pageAt(createContent([first, { kind: 'text', text: words(200) }]), 0, 1000).end
    }
    expect(endAfter(750)).toBe(750)
    expect(endAfter(749)).toBeGreaterThan(900)
  })

  test('at a paragraph, line, sentence or word in the last 200 characters', () => {
    const filler = `${'x'.repeat(850)} `
    const cases = [
      ['para\n\ngraph ', 'para\n\n'],
      ['li\nne and more ', 'li\n'],
      ['End. Begin ', 'End. '],
      ['終わり。次', '終わり。'],
      ['two words', 'two '],
    ] as const
    for (const [text, kept] of cases) {
      const content = createContent(filler + text + 'y'.repeat(300))
      expect(bare(pageAt(content, 0, 1000)).slice(filler.length)).toBe(kept)
    }
  })

  test('a heading stays with what it heads', () => {
    const pieces: Piece[] = [
      { kind: 'text', text: `${words(20)}\n\n` },
      { kind: 'heading', text: '## Next\n\n' },
      { kind: 'text', text: words(40) },
    ]
    const page = pageAt(createContent(pieces), 0, (pieces[0]?.text.length ?? 0) + 12)
    expect(page.end).toBe(pieces[0]?.text.length)
  })

  test('before a code block that fits the next page', () => {
    const code = `\`\`\`js\n${'let x\n'.repeat(10)}\`\`\`\n\n`
    const pieces = [
      { kind: 'text', text: `${words(5)}\n\n` },
      { kind: 'code', text: code },
    ]
    const [first, second] = paginate(pieces, { budget: code.length })
    expect(first?.text).toBe(pieces[0]?.text)
    expect(second?.text).toBe(code)
  })
})

describe('what is larger than a page', () => {
  test('behind titles, in a code block that fits no page', () => {
    const code = `\`\`\`js\n${'const line = 1\n'.repeat(60)}\`\`\``
    const content = createContent([
      { kind: 'heading', text: '# Code' },
      { kind: 'heading', text: '## Listing' },
      { kind: 'code', text: code },
    ])
    const [first] = paginate(content, { budget: 400 })
    expect(first?.text.length).toBeGreaterThan(300)
  })

  test('a code block is closed and opened again', () => {
    const code = `- \`\`\`sh\n${'  echo line\n'.repeat(20)}  \`\`\``
    const pages = paginate([{ kind: 'list', text: code }], { budget: 100 })
    expect(pages.length).toBeGreaterThan(2)
    for (const page of pages.slice(1)) expect(page.before).toBe('  ```sh\n')
    for (const page of pages.slice(0, -1)) expect(page.after).toBe('  ```')
    for (const page of pages) expect(page.text.match(/```/g)).toHaveLength(2)
    expect(pages.map(bare).join('')).toBe(code)
  })

  test('a table repeats its header, and no row is cut', () => {
    const row = '|cell one|cell two|\n'
    const table = `|A|B|\n|-|-|\n${row.repeat(20)}`
    const pages = paginate(table, { budget: 120 })
    for (const page of pages.slice(1)) expect(page.before).toBe('|A|B|\n|-|-|\n')
    for (const page of pages) expect(page.text.endsWith(row)).toBe(true)
  })

  test('a line of code is cut, if it has to be', () => {
    const code = `\`\`\`\n${'x'.repeat(500)}\n\`\`\``
    const pages = paginate(code, { budget: 100 })
    expect(pages.map(bare).join('')).toBe(code)
    for (const page of pages) expect(page.text.length).toBeLessThanOrEqual(100)
  })
})

test('a fence inside a fence is code', () => {
  const code = `\`\`\`\`md\n\`\`\`js\n1\n\`\`\`\n> \`\`\`\`\n${'text\n'.repeat(30)}\`\`\`\`\nAfter.`
  const pages = paginate(code, { budget: 80 })
  expect(pages[1]?.before).toBe('````md\n')
  expect(pages.at(-1)?.before).not.toBe('```js\n')
  expect(pages.map(bare).join('')).toBe(code)
})

test.each(['👩‍👩‍👧‍👦', 'é', '👍🏽', '日', '🇯🇵', '각'.normalize('NFD')])(
  'does not tear %s apart',
  (character) => {
    const text = character.repeat(50)
    for (const page of paginate(text, { budget: 25 }))
      expect(bare(page).length % character.length).toBe(0)
  },
)

test.each([0, -5, Number.NaN, 0.2])('a budget of %s still goes on', (budget) => {
  expect(paginate('abc', { budget }).map(bare)).toEqual(['a', 'b', 'c'])
})

test.each([
  ['a fence with a long language', `\`\`\`${'a'.repeat(5_000)}\n${'line\n'.repeat(500)}\`\`\``],
  ['a long fence', `${'`'.repeat(5_000)}\n${'line\n'.repeat(500)}${'`'.repeat(5_000)}`],
  ['a wide table', `|${'column|'.repeat(2_000)}\n|${'-|'.repeat(2_000)}\n${'|x|\n'.repeat(500)}`],
  ['endless combining marks', `e${'\u0301'.repeat(20_000)}`],
])('%s stays within the budget, and goes on', (_name, text) => {
  const pages = paginate(text, { budget: 1_000 })
  expect(pages.map(bare).join('')).toBe(text)
  for (const page of pages) expect(page.text.length).toBeLessThanOrEqual(1_000)
})

test('a start past the end is an empty last page', () => {
  expect(pageAt(createContent('abc'), 99, 10)).toMatchObject({ start: 3, end: 3, text: '' })
})

const line = fc.constantFrom(
  'A sentence. Another one!',
  '# Heading',
  '```js',
  '```',
  '~~~',
  '  ```',
  '> ```',
  '- item',
  '1. ```py',
  '|a|b|',
  '|-|-|',
  '> |a|b|',
  '> |-|-|',
  '日本語の文章。次の文。',
  '👩‍👩‍👧‍👦👍🏽',
  '',
  'x'.repeat(90),
)
const piece = fc.record({
  kind: fc.constantFrom('text', 'heading', 'code', 'table'),
  text: fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n')),
})

test('pages without their repeated parts are the content, whatever it is', () => {
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 1, max: 400 }), (pieces, budget) => {
      const pages = paginate(pieces, { budget })
      expect(pages.map(bare).join('')).toBe(pieces.map(({ text }) => text).join(''))
    }),
    { numRuns: 1000 },
  )
})

test('pages stay within a budget that has room for what is repeated', () => {
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 60, max: 400 }), (pieces, budget) => {
      for (const page of paginate(pieces, { budget }))
        expect(page.text.length).toBeLessThanOrEqual(budget)
    }),
    { numRuns: 1000 },
  )
})

const prose = Array.from(
  { length: 300 },
  (_, at) => `Paragraph ${at} says what it says, with \`code(${at})\` in it.\n\n`,
).join('')
const mixed = `${prose}\`\`\`js\n${'const one = 1\n'.repeat(200)}\`\`\`\n\n${'日本語の文章です。'.repeat(300)}`

test.each([50, 300, 4000])('pages of %i tokens are within the budget, and filled', (budget) => {
  const pages = paginate(mixed, { budget, unit: 'tokens' })
  expect(pages.map(bare).join('')).toBe(mixed)
  const used = pages.map(({ text }) => estimateTokens(text))
  expect(Math.max(...used)).toBeLessThanOrEqual(budget)
  const average = used.slice(0, -1).reduce((sum, tokens) => sum + tokens, 0) / (used.length - 1)
  if (pages.length > 1) expect(average).toBeGreaterThan(budget * 0.6)
})

test('tokens may be counted exactly', () => {
  for (const { text } of paginate(mixed, { budget: 500, unit: 'tokens', countTokens }))
    expect(countTokens(text)).toBeLessThanOrEqual(500)
})

test('pages of lines', () => {
  const pages = paginate(mixed, { budget: 40, unit: 'lines' })
  expect(pages.map(bare).join('')).toBe(mixed)
  for (const { text } of pages.slice(0, -1))
    expect(text.replace(/\n$/, '').split('\n').length).toBeLessThanOrEqual(40)
})

test('a span of code on a line is not cut where there is room before it', () => {
  const text = `${'word '.repeat(30)}\`a long span of code\` and more words to follow`
  const page = pageAt(createContent(text), 0, 160)
  expect(page.text).toBe('word '.repeat(30))
})

test('says where a page is, and the ways on', () => {
  const content = createContent(mixed)
  const budget = { budget: 2000, resource: 'r' }
  const second = pageAt(content, pageAt(content, 0, 2000).next ?? 0, 2000)
  const info = describePage(content, second, budget)
  const pages = paginate(content, budget)
  expect(info).toMatchObject({
    isPartial: true,
    totalLines: mixed.split('\n').length,
    currentPage: 2,
    totalPages: pages.length,
    nextPageToken: expect.stringContaining(`${second.next}.`),
    prevPageToken: expect.stringMatching(/^0\./),
  })
  expect(info.startLine).toBeLessThan(info.endLine)
  const last = describePage(content, pages.at(-1) as ContentPage, budget)
  expect(last.nextPageToken).toBeUndefined()
  expect([last.currentPage, last.endLine]).toEqual([pages.length, last.totalLines])
  expect(pageHeader({ ...info, nextPageToken: '20.aaaaaa', prevPageToken: '0.bbbbbb' })).toBe(
    `[page 2/${pages.length} lines ${info.startLine}-${info.endLine}/${info.totalLines} next 20.aaaaaa prev 0.bbbbbb]`,
  )
  expect(pageHeader(last, { name: 'guide' })).toMatch(/^\[guide page .* end prev \d+\.\w{6}\]$/)
})

test('the line of a page is short, even of a page far behind', () => {
  const far = {
    isPartial: true,
    totalLines: 43_914,
    startLine: 38_123,
    endLine: 38_456,
    currentPage: 113,
    totalPages: 127,
    nextPageToken: '1903456.k7q2m8',
    prevPageToken: '1887654.p0w4sd',
  }
  for (const language of ['en', 'ja'] as const)
    for (const name of ['createTypeChecker', 'structuredTypeRelatedToWorker', 'sqlite3VdbeExec'])
      expect(countTokens(pageHeader(far, { language, name }))).toBeLessThanOrEqual(45)
})

test.each(['ab \r\ncd', 'abc\r\ndef', 'a \u0301bcdef'])(
  'does not cut %j inside a grapheme',
  (text) => {
    const graphemes = new Set(
      Array.from(new Intl.Segmenter().segment(text), ({ index }) => index).concat(text.length),
    )
    for (const budget of [2, 3, 4, 5])
      for (const { end } of paginate(text, { budget })) expect(graphemes.has(end)).toBe(true)
  },
)
