import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import { command } from '../src/cli/add.ts'
import { type Options, parseConfig } from '../src/config.ts'

let folder: string
const main = '/home/ada/pith/apps/aggregator-mcp/dist/main.js'
const before = process.cwd()
beforeEach(() => {
  folder = temporaryFolder(onTestFinished)
  process.chdir(folder)
  vi.stubEnv('HOME', folder)
  vi.spyOn(process, 'argv', 'get').mockReturnValue([process.execPath, main])
})
afterEach(() => {
  process.chdir(before)
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

async function add(...words: string[]) {
  const said = { out: '', log: '' }
  const { settings, words: rest, values } = parseConfig(words, {}, command.options as Options)
  const print = (text: string): void => {
    said.out += text
  }
  const log = (text: string): void => {
    said.log += text
  }
  const printJson = (value: unknown): void => print(JSON.stringify(value))
  await command.run({ settings, words: rest, values, print, printText: print, printJson, log })
  return said
}

test('a client starts the aggregator with its configuration and options', async () => {
  const { out, log } = await add('claude-code', '-c', 'own.json', '--mode', 'list', '--state', 's')
  expect(out).toContain(`${join(folder, '.mcp.json')}: added pith.`)
  expect(log).toContain(`${join(folder, 'own.json')} does not exist yet`)
  const { pith } = JSON.parse(readFileSync('.mcp.json', 'utf8')).mcpServers
  expect(pith).toMatchObject({ type: 'stdio', command: process.execPath })
  expect(pith.args[0]).toBe(main)
  expect(pith.args.slice(1)).toEqual([
    ...['--config', join(folder, 'own.json')],
    ...['--mode', 'list', '--state', join(folder, 's')],
  ])
})

test('an entry for a folder, which others may have too, names no file that is the usual one', async () => {
  const usual = join(folder, '.config/pith/aggregator.json')
  await add('cursor', '-c', usual)
  const { pith } = JSON.parse(readFileSync('.cursor/mcp.json', 'utf8')).mcpServers
  expect(pith.args).toEqual([main])
  const { out } = await add('cursor', '-c', usual, '--user', '--name', 'own', '--print')
  expect(out).toContain(usual)
})

test('a client that passes few variables on is told which are needed', async () => {
  writeFileSync(
    'own.json',
    '{ "mcpServers": { "a": { "command": "a", "env": { "K": "${A_KEY}" } } } }',
  )
  const { log } = await add('codex', '--config', 'own.json')
  expect(log).toBe('')
  const { mcp_servers } = parseToml(readFileSync('.codex/config.toml', 'utf8'))
  expect(mcp_servers).toMatchObject({
    pith: { env_vars: ['A_KEY'], startup_timeout_sec: 60, tool_timeout_sec: 300 },
  })
})

test('printed, nothing is written', async () => {
  const { out } = await add('opencode', '-c', 'own.json', '--user', '--name', 'all', '--print')
  const at = out.indexOf('\n\n')
  expect(out.slice(0, at)).toBe(join(folder, '.config/opencode/opencode.json'))
  const { command: words } = JSON.parse(out.slice(at)).mcp.all
  expect(words.slice(-2)).toEqual(['--config', join(folder, 'own.json')])
  expect(existsSync('.config')).toBe(false)
})

test('a server of the name of a client is still one', async () => {
  await add('zed', '-c', 'own.json', '--', 'npx', 'zed-mcp')
  expect(JSON.parse(readFileSync('own.json', 'utf8'))).toEqual({
    mcpServers: { zed: { command: 'npx', args: ['zed-mcp'] } },
  })
  await expect(add('emacs', '-c', 'own.json', '--user')).rejects.toThrow(
    'add: --user is for clients only. emacs is not one of claude-code,',
  )
  await expect(add('windsurf', '-c', 'own.json', '--name', 'a b')).rejects.toThrow(
    'add: The name a b must consist of',
  )
})
