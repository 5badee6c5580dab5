import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import { readDocsSettings as readSettings } from '../src/config.ts'
import { cacheFolder } from '../src/open-docs.ts'

const folder = temporaryFolder()

function file(content: string): string {
  const path = join(folder, `${Math.random()}.json`)
  writeFileSync(path, content)
  return path
}

test('flags go before the environment, and that before the file', () => {
  const path = file('{ "timeout": 1, "maxPages": 1, "searchWait": 1, "sources": ["a"] }')
  const environment = { DOCS_MCP_TIMEOUT: '2', DOCS_MCP_MAX_PAGES: '2' }
  expect(readSettings({ timeout: '3' }, path, environment)).toMatchObject({
    timeout: 3,
    maxPages: 2,
    searchWait: 1,
    sources: ['a'],
  })
})

test('lists, flags and headers can stand in the environment', () => {
  const settings = readSettings({}, undefined, {
    DOCS_MCP_SOURCES: 'https://a.example/, https://b.example/',
    DOCS_MCP_ONLY: 'a.example,*.b.example',
    DOCS_MCP_OFFLINE: '1',
    DOCS_MCP_HEADERS: '{"a.example":{"authorization":"Bearer x"}}',
    HTTPS_PROXY: 'http://proxy:3128',
    NO_PROXY: 'localhost',
  })
  expect(settings).toMatchObject({
    sources: ['https://a.example/', 'https://b.example/'],
    only: ['a.example', '*.b.example'],
    offline: true,
    headers: { 'a.example': { authorization: 'Bearer x' } },
    proxy: { https: 'http://proxy:3128', noProxy: 'localhost' },
  })
  expect(readSettings({}, undefined, { DOCS_MCP_OFFLINE: 'false' }).offline).toBe(false)
})

test('the file may name variables, so that it need not hold secrets', () => {
  const variable = '$'.concat('{SECRET}')
  const path = file(`{ "headers": { "a.example": { "authorization": "Bearer ${variable}" } } }`)
  expect(readSettings({}, path, { SECRET: 'a"b' }).headers).toEqual({
    'a.example': { authorization: 'Bearer a"b' },
  })
  expect(() => readSettings({}, path, {})).toThrow(/variable SECRET, which is not set/)
})

test.each([
  ['{', /not a JSON object/],
  ['{ "timeouts": 5 }', /no setting "timeouts"/],
  ['{ "timeout": "long" }', /^timeout must be a number, got "long"\.$/],
  ['{ "token": "short" }', /^token must have at least 8 characters\.$/],
])('%s is wrong, and what is wrong is named', (content, message) => {
  expect(() => readSettings({}, file(content), {})).toThrow(UsageError)
  expect(() => readSettings({}, file(content), {})).toThrow(message)
})

test('pages are kept in the folder that the system has for it, unless told otherwise', () => {
  expect(cacheFolder({ cache: '/x' }, {})).toBe('/x')
  expect(cacheFolder({ cache: false }, {})).toBeUndefined()
  expect(cacheFolder({ cache: undefined }, {})).toMatch(/pith/)
})

test('the file of the user is read, and not that of the folder we are in', () => {
  const own = file('{ "timeout": 7 }')
  expect(readSettings({}, undefined, { DOCS_MCP_CONFIG: own }).timeout).toBe(7)
  const home = join(folder, 'home')
  mkdirSync(join(home, 'pith'), { recursive: true })
  writeFileSync(join(home, 'pith/docs-mcp.json'), '{ "timeout": 8 }')
  expect(readSettings({}, undefined, { XDG_CONFIG_HOME: home }).timeout).toBe(8)
  expect(readSettings({}, own, { XDG_CONFIG_HOME: home }).timeout).toBe(7)
})
