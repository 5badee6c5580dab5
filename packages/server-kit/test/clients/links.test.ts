import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { launchOf, readClient } from '../../src/clients/index.ts'

const manual = readFileSync(
  new URL('../../../../docs/connect-a-client.md', import.meta.url),
  'utf8',
)
const launch = launchOf({
  main: '/node_modules/@pith-mcp/docs-mcp/dist/main.js',
  packageName: '@pith-mcp/docs-mcp',
  platform: 'linux',
})
const asBase64 = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64').toString())

/** The parameters of the link of the manual that begins like this. */
function parametersOf(start: string): URLSearchParams {
  const at = manual.indexOf(`${start}?`) + start.length + 1
  const [query] = /^[^)\s]+/.exec(manual.slice(at)) ?? []
  return new URLSearchParams(query)
}

test.for([
  ['cursor', 'https://cursor.com/en/install-mcp', asBase64],
  ['vscode', 'https://vscode.dev/redirect/mcp/install', JSON.parse],
  ['kiro', 'https://kiro.dev/launch/mcp/add', JSON.parse],
  ['lmstudio', 'https://lmstudio.ai/install-mcp', asBase64],
] as const)('the link of %s has the entry that add writes', ([client, start, decode]) => {
  const parameters = parametersOf(start)
  expect(parameters.get('name')).toBe('docs')
  expect(decode(parameters.get('config') ?? '')).toEqual(readClient(client).entry(launch, 'docs'))
})

test('the link of goose has the entry that add writes', () => {
  const parameters = parametersOf('goose://extension')
  const { name, cmd, args } = readClient('goose').entry(launch, 'docs')
  expect([parameters.get('name'), parameters.get('cmd'), parameters.getAll('arg')]).toEqual([
    name,
    cmd,
    args,
  ])
})
