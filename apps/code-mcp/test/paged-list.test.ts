import { createHash } from 'node:crypto'
import { createContent, encodePageToken, paginate } from '@pith-mcp/paginator'
import { expect, test } from 'vitest'
import { pagedList } from '../src/render/paged-list.ts'

const callFor = (token: string): string => token

async function allPages(lines: readonly string[]): Promise<string[]> {
  const texts: string[] = []
  let token: string | undefined
  do {
    const { text, next } = await pagedList({
      count: lines.length,
      lineAt: (at) => lines[at] as string,
      resource: 'list:a.js:',
      token,
      callFor,
    })
    texts.push(text)
    token = /^\[next: (.*)\]$/.exec(next[0] ?? '')?.[1]
  } while (token !== undefined)
  return texts
}

const tall = (at: number): string =>
  `name${at} ${'long '.repeat(at % 7 === 0 ? 80 : at % 3)}· function`
const odd = (at: number): string =>
  ['```', `| ${at} | - |`, '', '漢字'.repeat(at % 40), '``open', 'x'.repeat(at % 900)][
    at % 6
  ] as string
const lists: Readonly<Record<string, readonly string[]>> = {
  'short lines': Array.from({ length: 9_000 }, (_, at) => `f${at} · function · ${at} · 6`),
  'lines of all lengths': Array.from({ length: 3_000 }, (_, at) => tall(at)),
  'lines with fences, tables and blanks': Array.from({ length: 2_500 }, (_, at) => odd(at)),
  'lines longer than a page': Array.from({ length: 12 }, (_, at) => `${at}, `.repeat(9_000)),
  'one line': ['f · function · 1 · 6'],
}

test.each(Object.keys(lists))('%s: the pages are those of the whole list', async (name) => {
  const lines = lists[name] as readonly string[]
  const whole = createContent(lines.map((line) => ({ kind: 'line', text: `${line}\n` })))
  const expected = paginate(whole, { budget: 4_000, unit: 'tokens' })
  expect(await allPages(lines)).toEqual(expected.map(({ text }) => text.replace(/\n$/, '')))
})

test('a token with a slip means its page, wherever that is', async () => {
  const lines = lists['short lines'] as readonly string[]
  const text = lines.map((line) => `${line}\n`).join('')
  const pages = paginate(
    createContent(lines.map((line) => ({ kind: 'line', text: `${line}\n` }))),
    {
      budget: 4_000,
      unit: 'tokens',
    },
  )
  const last = pages.at(-1)
  const content = createHash('sha256').update(text).digest('hex')
  const token = encodePageToken({ resource: 'list:a.js:', start: last?.start ?? 0, content })
  const page = await pagedList({
    count: lines.length,
    lineAt: (at) => lines[at] as string,
    resource: 'list:a.js:',
    token: token.slice(0, -1),
    callFor,
  })
  expect(page.text).toBe(last?.text.replace(/\n$/, ''))
})

test('of a long list only so many lines are made in one turn of the event loop', async () => {
  let made = 0
  let most = 0
  let isOver = false
  const look = (): void => {
    most = Math.max(most, made)
    made = 0
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  const lineAt = (at: number): string => {
    made++
    return `f${at}`
  }
  await pagedList({ count: 50_000, lineAt, resource: 'list', token: undefined, callFor })
  isOver = true
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(4_000)
})
