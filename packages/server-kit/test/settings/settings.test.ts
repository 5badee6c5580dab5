import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { temporaryFolder } from '../../../base/test/temporary-folder.ts'
import {
  defineSettings,
  flagsToAdd,
  listOf,
  nonEmpty,
  onOff,
  readArguments,
  readSettings,
  secretFiles,
  UsageError,
  usageLines,
} from '../../src/settings/index.ts'

const number = z.coerce.number()
const table = defineSettings(
  {
    timeout: { type: number.gt(0).max(600).default(20), value: '<s>', help: 'for one request' },
    maxPages: { type: number.int().min(1).optional(), value: '<n>', help: 'of one source' },
    cache: {
      type: z.union([z.string(), z.literal(false)]).optional(),
      value: '<folder>',
      help: 'for pages',
    },
    siteSearch: { type: onOff(true), help: 'search sites' },
    offline: { type: onOff(false), help: 'send no requests' },
    only: { type: listOf(z.string()), value: '<host>', help: 'read no other hosts' },
    site: { type: listOf(z.enum(['aws', 'mdn'])), value: '<name>', help: 'a site' },
    locale: { type: z.enum(['en', 'ja']).default('en'), value: '<en|ja>', help: 'language' },
    http: { type: z.string().optional(), isLocal: true, value: '<port>', help: 'serve HTTP' },
    token: { type: z.string().min(8).optional(), flag: false, secret: true, help: 'bearer token' },
    proxy: {
      type: z.strictObject({ url: z.string() }).optional(),
      flag: false,
      variable: false,
      help: '',
    },
  },
  'APP',
)

test('each line gives a type', () => {
  expectTypeOf<z.output<typeof table.schema>>().toEqualTypeOf<{
    timeout: number
    maxPages: number | undefined
    cache: string | false | undefined
    siteSearch: boolean
    offline: boolean
    only: string[]
    site: ('aws' | 'mdn')[]
    locale: 'en' | 'ja'
    http: string | undefined
    token: string | undefined
    proxy: { url: string } | undefined
  }>()
})

const flags = (...argv: string[]) => readArguments(argv, [table]).values

test('flags go before variables, those before the file, and that before defaults', () => {
  const file = { path: 'app.json', values: { timeout: 1, maxPages: 1, locale: 'ja' } }
  const environment = { APP_TIMEOUT: '2', APP_MAX_PAGES: '2', APP_ONLY: 'a, b', APP_HTTP: '' }
  const sources = { flags: flags('--timeout', '3'), environment: nonEmpty(environment), file }
  const read = readSettings(table, sources)
  expect(read).toEqual({
    timeout: 3,
    maxPages: 2,
    locale: 'ja',
    siteSearch: true,
    offline: false,
    only: ['a', 'b'],
    site: [],
  })
})

test('what is on can be turned off', () => {
  const off = { cache: false, siteSearch: false }
  const environment = { APP_CACHE: 'off', APP_SITE_SEARCH: 'no' }
  expect(readSettings(table, { environment })).toMatchObject(off)
  const argv = flags('--no-cache', '--no-site-search')
  expect(readSettings(table, { flags: argv })).toMatchObject(off)
  const file = { path: 'app.json', values: off }
  expect(readSettings(table, { file })).toMatchObject(off)
})

test.each([
  [{ flags: { timeout: 'soon' } }, '--timeout must be a number, got "soon".'],
  [{ environment: { APP_TIMEOUT: '0' } }, 'APP_TIMEOUT must be above 0, got "0".'],
  [{ file: { maxPages: 1.5 } }, 'maxPages must be a whole number, got 1.5.'],
  [{ flags: { maxPages: '0' } }, '--max-pages must be at least 1, got "0".'],
  [{ flags: { site: ['mdn', 'x'] } }, '--site must be one of aws, mdn, got "x".'],
  [{ environment: { APP_LOCALE: 'fr' } }, 'APP_LOCALE must be one of en, ja, got "fr".'],
  [{ file: { cache: 5 } }, 'cache must be a string, got 5.'],
  [{ environment: { APP_TOKEN: 'short' } }, 'APP_TOKEN must have at least 8 characters.'],
  [{ file: { proxy: {} } }, 'proxy must be a string, got {}.'],
  [{ file: { timeouts: 5 } }, 'There is no setting "timeouts" in app.json.'],
])('%j: %s', ({ flags = {}, environment = {}, file = {} }: Sources, message) => {
  const sources = { flags, environment, file: { path: 'app.json', values: file } }
  expect(() => readSettings(table, sources)).toThrow(new UsageError(message))
})

interface Sources {
  flags?: Record<string, unknown>
  environment?: Record<string, string>
  file?: Record<string, unknown>
}

test('flags that a table does not have are wrong usage', () => {
  expect(() => flags('--nope')).toThrow(new UsageError("Unknown option '--nope'."))
  expect(() => flags('--token', 'x')).toThrow(UsageError)
})

test('flags are described, and passed on unless they concern this process', () => {
  expect(usageLines(table, 20)).toBe(`  --timeout <s>     for one request (default 20)
  --max-pages <n>   of one source
  --cache <folder>  for pages
  --no-site-search  do not search sites
  --offline         send no requests
  --only <host>     read no other hosts
  --site <name>     a site
  --locale <en|ja>  language
  --http <port>     serve HTTP`)
  const argv = ['--http', '80', '--only', 'a', '--only', 'b', '--no-cache', '--offline']
  expect(flagsToAdd(table, readArguments(argv, [table]).values)).toEqual([
    ...['--no-cache', '--offline', '--only', 'a', '--only', 'b'],
  ])
})

describe('a secret in a file', () => {
  const folder = temporaryFolder()
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const read = (environment: Record<string, string>) => readSettings(table, { environment })

  test.each([
    ['as it is', '12345678', '12345678'],
    ['without its last line break', '12345678\n', '12345678'],
    ['without that of Windows', '12345678\r\n', '12345678'],
    ['with all others', '\n1234 5678 \n\n', '\n1234 5678 \n'],
    ['with 64 kB', 'x'.repeat(65_536), 'x'.repeat(65_536)],
  ])('is read %s', (name, content, token) => {
    expect(read({ APP_TOKEN_FILE: file(name, content) })).toMatchObject({ token })
  })

  test.runIf(process.platform === 'linux')('is read from a pipe that is filled slowly', () => {
    const path = join(folder, 'pipe')
    execFileSync('sh', ['-c', `mkfifo '${path}'`])
    const fill = `(printf 1234; sleep .2; printf 5678) > '${path}'`
    spawn('sh', ['-c', fill], { stdio: 'ignore' })
    expect(read({ APP_TOKEN_FILE: path })).toMatchObject({ token: '12345678' })
  })

  test('is not both in a file and in the environment', () => {
    const environment = { APP_TOKEN: '', APP_TOKEN_FILE: file('both', '12345678') }
    expect(() => read(environment)).toThrow(
      new UsageError('APP_TOKEN and APP_TOKEN_FILE are both set. Keep one of them.'),
    )
  })

  test.each([
    ['missing', () => join(folder, 'missing'), 'does not exist'],
    ['a folder', () => folder, 'cannot be read (EISDIR)'],
    ['without a name', () => '', 'does not exist'],
    ['empty', () => file('empty', '\n'), 'is empty'],
    ['too big', () => file('big', 'x'.repeat(65_537)), 'has more than 65536 bytes'],
  ])('is wrong usage if it is %s', (_, path, why) => {
    const APP_TOKEN_FILE = path()
    expect(() => read({ APP_TOKEN_FILE })).toThrow(
      new UsageError(`APP_TOKEN_FILE: the file ${JSON.stringify(APP_TOKEN_FILE)} ${why}.`),
    )
  })

  test('is validated, and not quoted', () => {
    const APP_TOKEN_FILE = file('short', 'abc')
    expect(() => read({ APP_TOKEN_FILE })).toThrow(/^APP_TOKEN_FILE (?!.*abc)/)
  })

  test('is for secrets only', () => {
    expect(read({ APP_LOCALE_FILE: file('locale', 'ja') })).toMatchObject({ locale: 'en' })
    expect(secretFiles(table, { APP_TOKEN_FILE: 'a', APP_LOCALE_FILE: 'b' })).toEqual(['a'])
  })
})
