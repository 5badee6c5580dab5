import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import { addClient } from '../src/cli/add-client.ts'
import { parseConfig } from '../src/config.ts'

let folder: string
const main = '/home/ada/pith/apps/docs-mcp/dist/main.js'
const before = process.cwd()
beforeEach(() => {
  folder = temporaryFolder(onTestFinished)
  process.chdir(folder)
  mkdirSync('manual')
  vi.stubEnv('HOME', folder)
  vi.spyOn(process, 'argv', 'get').mockReturnValue([process.execPath, main])
})
afterEach(() => {
  process.chdir(before)
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const printed = async (...words: string[]) => {
  const text = await addClient(parseConfig(['add', ...words, '--print']))
  const at = text.indexOf('\n\n')
  return { path: text.slice(0, at), servers: JSON.parse(text.slice(at)).mcpServers }
}

test('the entry starts this program with its options and sources, whatever the folder', async () => {
  const words = ['--offline', '--timeout', '5', 'https://docs.example.org/', 'manual']
  const { path, servers } = await printed('cursor', ...words)
  expect(path).toBe(join(folder, '.cursor/mcp.json'))
  const { command, args } = servers.docs
  expect(command).toBe(process.execPath)
  expect(args[0]).toBe(main)
  expect(args.slice(1).sort()).toEqual([...words.slice(0, -1), join(folder, 'manual')].sort())
})

test('it has another name and place where these are given', async () => {
  const { path, servers } = await printed('gemini', '--name', 'aws', '--user', '--site', 'aws')
  expect(path).toBe(join(folder, '.gemini/settings.json'))
  expect(servers.aws.args.slice(1)).toEqual(['--site', 'aws'])
})

test('what the environment says of the partition is written out', async () => {
  vi.stubEnv('AWS_DOCUMENTATION_PARTITION', 'aws-cn')
  const { servers } = await printed('cursor', '--site', 'aws')
  expect(servers.docs.args.slice(-2)).toEqual(['--site', 'aws-cn'])
})

test.each([
  [['emacs'], 'add: There is no client "emacs". Clients: claude-code,'],
  [[], 'add: Name a client: claude-code,'],
  [['cursor', '--name', 'a b'], 'add: The name a b must consist of letters'],
])('add %j is wrong usage', async (words, message) => {
  await expect(printed(...words)).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringContaining(message),
  })
})

test('a source that can never be read is told before it is written', async () => {
  await expect(printed('cursor', 'docs.example.org')).rejects.toThrow('https://docs.example.org')
  await expect(printed('cursor', './nofolder')).rejects.toThrow('There is no source')
  await expect(printed('cursor', 'docter')).rejects.toThrow('Did you mean docs-mcp doctor?')
  await expect(printed('cursor', 'https://ada:secret@docs.example.org/')).rejects.toThrow(
    'The source https://docs.example.org contains a user name or password.',
  )
})
