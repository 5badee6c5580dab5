import { mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import { parseConfig } from '../src/config.ts'
import { projectRoots, readRoots } from '../src/roots.ts'

afterEach(() => vi.restoreAllMocks())

test('folders are served unless a question is asked', () => {
  expect(parseConfig(['src', 'lib'], {})).toMatchObject({
    command: 'serve',
    positionals: ['src', 'lib'],
  })
  expect(parseConfig(['show', 'a.ts', 'f', '--line', '20', '--json'], {})).toMatchObject({
    command: 'show',
    positionals: ['a.ts', 'f'],
    line: 20,
    json: true,
  })
  expect(parseConfig(['--help'], { CODE_MCP_LOCALE: 'xx' })).toMatchObject({ command: 'help' })
})

test('flags come before the environment', () => {
  const { settings } = parseConfig(['--page-size', '300 lines'], {
    CODE_MCP_PAGE_SIZE: '10 KB',
    CODE_MCP_LOCALE: 'ja',
    CODE_MCP_STRUCTURED_CONTENT: '1',
  })
  expect(settings).toMatchObject({
    pageSize: '300 lines',
    locale: 'ja',
    structuredContent: true,
    maxParseMb: 16,
  })
})

test.each([
  [['--locale', 'fr'], {}, '--locale must be one of en, ja, got "fr".'],
  [['--max-parse-mb', 'x'], {}, '--max-parse-mb must be a number, got "x".'],
  [[], { CODE_MCP_SEARCH_WAIT: '0' }, 'CODE_MCP_SEARCH_WAIT must be above 0, got "0".'],
  [['show', 'a', '--line', '0'], {}, '--line must be a line number from 1, got "0".'],
  [['--nope'], {}, "Unknown option '--nope'."],
])('%j %j: %s', (argv, environment, message) => {
  expect(() => parseConfig(argv, environment)).toThrow(message)
})

test('sizes have one limit or two', () => {
  const { settings } = parseConfig(['--page-over', '0', '--page-size', '500行、10KB'], {})
  expect(settings).toMatchObject({ pageOver: undefined, pageSize: '500行、10KB' })
  for (const flag of ['--page-over', '--page-size'])
    expect(() => parseConfig([flag, 'ten'], {})).toThrow(
      `${flag} must be a number of tokens, or written as "300 lines", "10 KB" or "500 lines, 10 KB", got "ten".`,
    )
})

test('the root of the disk and the home folder are not served unless they are named', () => {
  expect(readRoots([], { CODE_MCP_ROOTS: '/a, /b c' })).toEqual(['/a', '/b c'])
  for (const folder of ['/', homedir()]) {
    vi.spyOn(process, 'cwd').mockReturnValue(folder)
    expect(() => readRoots([], {})).toThrow('Pass the folder to read')
    expect(readRoots([folder], {})).toEqual([folder])
  }
})

test('without a named folder, those that the client has open are served, or else its project, or this folder', () => {
  expect(projectRoots(['/a', '/b'], { CLAUDE_PROJECT_DIR: '/c' })).toEqual(['/a', '/b'])
  expect(projectRoots([], { CLAUDE_PROJECT_DIR: '/c' })).toEqual(['/c'])
  expect(projectRoots([], {})).toEqual([process.cwd()])
  expect(() => projectRoots([], { CLAUDE_PROJECT_DIR: homedir() })).toThrow(
    'Pass the folder to read',
  )
})

test.each(['plugin.json', '.claude-plugin/plugin.json'])(
  'the folder of a plugin, which has %s, is not served unless it is named',
  (file) => {
    const folder = temporaryFolder(onTestFinished)
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), '{}')
    vi.spyOn(process, 'cwd').mockReturnValue(folder)
    expect(() => projectRoots([], {})).toThrow(`Pass the folder to read. ${folder} is served only`)
    expect(() => projectRoots([folder], {})).toThrow('Pass the folder to read')
    expect(readRoots([folder], {})).toEqual([folder])
  },
)
