import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { runRemove, runSetup } from '../../src/clients/index.ts'
import { createHome } from './plant.ts'

const main = '/pith/main.js'
const launch = { command: '/bin/node', args: [main] }
const guide = { name: 'read-docs', description: 'When to read.', text: '# Read' }

let home: string
beforeEach(() => {
  home = createHome()
})
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}
const read = (path: string): string => readFileSync(join(home, path), 'utf8')
const around = () => ({
  name: 'docs',
  guide,
  host: { home, cwd: home, platform: 'linux' as const, variables: {} },
})
const setup = (options: Partial<Parameters<typeof runSetup>[0]> = {}) =>
  runSetup(
    {
      ...around(),
      write: false,
      json: false,
      skill: false,
      rules: false,
      ask: undefined,
      ...options,
    },
    () => launch,
  )

const files = {
  '.cursor/mcp.json': '{ "mcpServers": {} } // mine\n',
  '.codex/config.toml': 'model = "x"\n',
  '.config/goose/config.yaml': 'extensions:\n  a: {cmd: x}\n',
}
const putAll = () => {
  for (const [path, text] of Object.entries(files)) put(path, text)
}

test('without --write, each client is shown with its file and entry, and nothing is written', async () => {
  putAll()
  const { text, isOk } = await setup()
  expect(isOk).toBe(true)
  expect(text).toContain(
    `Cursor: ${home}/.cursor/mcp.json\n  {\n    "mcpServers": {\n      "docs": {`,
  )
  expect(text).toContain(`Goose: ${home}/.config/goose/config.yaml\n  extensions:\n    docs:\n`)
  expect(text).toContain(
    'Nothing was written. Run it with --write; remove CLIENT --user reverts it.',
  )
  expect(text).not.toContain('"a"')
  for (const [path, content] of Object.entries(files)) expect(read(path)).toBe(content)
})

test('what is written is what was shown, and remove restores every byte', async () => {
  putAll()
  const { text, isOk } = await setup({ write: true })
  expect(isOk).toBe(true)
  expect(text.match(/: added docs\. The previous file is /g)).toHaveLength(3)
  expect((await setup({ write: true })).text).toContain('There is nothing to do.')
  for (const client of ['cursor', 'codex', 'goose'])
    await runRemove({ ...around(), client, isForUser: true, main, packageName: 'pith' })
  for (const [path, content] of Object.entries(files)) expect(read(path)).toBe(content)
})

test('a client whose file is broken is named with the reason, and the others are written', async () => {
  putAll()
  put('.codex/config.toml', 'model = ')
  put('.config/zed/settings.json', '{ "context_servers": { "docs": { "command": "theirs" } } }')
  const { text, isOk } = await setup({ write: true })
  expect(isOk).toBe(false)
  expect(text).toContain(`Left out: Codex: ${home}/.codex/config.toml: it is not valid TOML`)
  expect(text).toContain('Left out: Zed: ')
  expect(text).toContain(
    'has another server named docs. Pass another --name, or --force to replace',
  )
  expect(read('.codex/config.toml')).toBe('model = ')
  expect(read('.cursor/mcp.json')).toContain('"docs"')
  expect(read('.config/goose/config.yaml')).toContain('docs:')
})

test('it is written after a yes, and not after a no', async () => {
  putAll()
  const shown: string[] = []
  const ask = (answer: boolean) => async (text: string) => {
    shown.push(text)
    return answer
  }
  expect((await setup({ ask: ask(false) })).text).toMatch(/^Nothing was written\./)
  expect(read('.cursor/mcp.json')).toBe(files['.cursor/mcp.json'])
  expect((await setup({ ask: ask(true) })).text).toContain('added docs')
  expect(read('.cursor/mcp.json')).toContain('"docs"')
  expect(shown[1]).toBe(shown[0])
  expect(shown[0]).toContain('Cursor: ')
})

test('the plan is JSON for programs, and nothing is written', async () => {
  put('.cursor/mcp.json', '{}')
  put('.codex/config.toml', 'model = ')
  const { text, isOk } = await setup({ write: true, json: true })
  expect(isOk).toBe(false)
  expect(JSON.parse(text)).toMatchObject({
    clients: [
      { name: 'cursor', title: 'Cursor', path: join(home, '.cursor/mcp.json') },
      { name: 'codex', problem: expect.stringContaining('it is not valid TOML') },
    ],
    supported: expect.arrayContaining(['goose']),
  })
  expect(read('.cursor/mcp.json')).toBe('{}')
})

test('without a client it says so', async () => {
  const { text, isOk } = await setup()
  expect(isOk).toBe(false)
  expect(text).toContain('No client was found. Name one: add claude-code, ')
})
