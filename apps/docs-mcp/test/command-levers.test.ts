import { basename, dirname, join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import { runVerb } from '../src/cli/run-verb.ts'
import { usage } from '../src/cli/usage.ts'
import { parseConfig, type Question } from '../src/config.ts'
import { writePages } from './levers/pages.ts'

const folder = temporaryFolder()

beforeAll(() => writePages(folder))

/** The words of a command, as a shell reads them. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(
    ([, quote, word = '']) => quote?.replaceAll("'\\''", "'") ?? word,
  )

async function run(words: readonly string[]): Promise<string> {
  const config = parseConfig([...words, '--no-cache'])
  const { text } = await runVerb(config.command as Question, config, () => {})
  return text
}

/** Rows of the long tier: each opens the folder anew. */
const longer = [
  ['find', 'dial.html', 'xylophone'],
  ['find', 'rows.html', 'reason'],
  ['section', 'late.html', 'Long'],
  ['toc', 'flat.html'],
  ['related', 'code.html'],
]

describe('a command', () => {
  test.each([
    [
      'find',
      'dial.html',
      ['trembles', '--max-results', '2'],
      /raise (--max-results) for more/,
      '9',
    ],
    [
      'find',
      'dial.html',
      ['trembles', '--max-results', '9'],
      /raise (--max-length) for more/,
      '10000',
    ],
    ['table', 'rows.html', ['reason'], /raise (--max-results) or add words/, '100'],
  ] as const)('%s %s %j names its flag', async (verb, file, words, says, value) => {
    const before = await run([verb, join(folder, file), ...words])
    const [, flag = ''] = says.exec(before) ?? []
    const after = await run([verb, join(folder, file), ...words, flag, value])
    expect(after.length).toBeGreaterThan(before.length + 100)
  })

  test.each([
    ['find', 'dial.html', 'trembles', '--max-length', '0', '--max-results', '10'],
    ['find', 'late.html', 'zymurgy'],
    ['section', 'rows.html', 'Options'],
    ['content', 'late.html'],
    ['toc', 'deep.html'],
    ['table', 'rows.html', 'them'],
    ...(process.env['LONG'] ? longer : []),
  ])('%s %s ends with words that it understands', async (verb, file, ...words) => {
    const start = [verb, join(folder, file), ...words]
    const notes = (await run(start)).split('\n').filter((line) => line.startsWith('['))
    expect(notes.join('\n')).not.toMatch(/\w+_\w+\(|max_/)
    const next = notes.flatMap(
      (line) => /docs-mcp (.*)\]$|(--page \S+)\]$/.exec(line)?.slice(1) ?? [],
    )
    const commands = next.filter((text) => text !== undefined)
    expect(commands).not.toEqual([])
    for (const command of commands) {
      const more = wordsOf(command).map((word) => (word === '…' ? 'c7' : word))
      if (file !== 'deep.html' && more.includes('c7')) continue
      const text = await run(command.startsWith('--') ? [...start, ...more] : more)
      expect(text).not.toBe('')
    }
  })

  test.each([
    ['below the current folder relative to it', dirname, basename],
    ['in the current folder by its name', (path: string) => path, () => ''],
    ['beside the current folder absolute', (path: string) => `${path}-2`, (path: string) => path],
  ])('search names a page %s', async (_, current, named) => {
    const place = vi.spyOn(process, 'cwd').mockReturnValue(current(folder))
    try {
      const { hits } = JSON.parse(await run(['search', folder, 'trembles', '--json']))
      expect(hits[0].url.split('#')[0]).toBe(join(named(folder), 'dial.html'))
    } finally {
      place.mockRestore()
    }
  })

  test('whose page is of another text says so with its flag', async () => {
    const wrong = run(['content', join(folder, 'dial.html'), '--page', '10.aaaaaa'])
    await expect(wrong).rejects.toMatchObject({
      remedy: expect.stringContaining('Leave out --page'),
    })
  })
})

test('a flag that switches something off says what it does', () => {
  const lines = usage.split('\n').filter((line) => line.includes('--no-'))
  expect(lines.map((line) => line.trim().split(/ {2,}/)[1])).toEqual([
    'do not use the search services of sites',
    expect.stringContaining('--no-cache: none'),
  ])
})
