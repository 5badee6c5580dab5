import { UsageError } from '@pith-mcp/server-kit/settings'
import { expect, test } from 'vitest'
import { parseConfig } from '../src/config.ts'

test('words that are no verb are sources to serve', () => {
  expect(parseConfig(['./docs', 'https://example.org/'])).toMatchObject({
    command: 'serve',
    positionals: ['./docs', 'https://example.org/'],
    settings: { sources: ['./docs', 'https://example.org/'], timeout: 20, maxPages: 2_000 },
  })
})

test('a source may be several addresses, and a blank one is none', () => {
  const { settings } = parseConfig([
    '',
    '/a b, c',
    'https://a.org/x,y https://b.org/, http://c.org',
  ])
  expect(settings.sources).toEqual([
    '/a b, c',
    'https://a.org/x,y',
    'https://b.org/',
    'http://c.org',
  ])
})

test('a verb takes the words behind it', () => {
  expect(parseConfig(['find', 'a.html', 'two', 'words', '--json', '--max-length=0'])).toMatchObject(
    {
      command: 'find',
      positionals: ['a.html', 'two', 'words'],
      json: true,
      maxLength: 0,
    },
  )
})

test.each([
  [['--nope'], /--nope/],
  [['--timeout', 'soon'], /^--timeout must be a number, got "soon"\.$/],
  [['--timeout', '0'], /^--timeout must be above 0, got "0"\.$/],
  [['--max-pages', '1.5'], /^--max-pages must be a whole number, got "1.5"\.$/],
  [['toc', 'a', '--page'], /--page/],
])('%j is wrong usage, named', (argv, message) => {
  expect(() => parseConfig(argv)).toThrow(UsageError)
  expect(() => parseConfig(argv)).toThrow(message)
})
