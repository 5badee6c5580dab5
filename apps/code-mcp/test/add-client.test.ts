import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import { addClient } from '../src/cli/add-client.ts'
import { parseConfig } from '../src/config.ts'

let folder: string
const main = '/home/ada/pith/apps/code-mcp/dist/main.js'
const before = process.cwd()
beforeEach(() => {
  folder = temporaryFolder(onTestFinished)
  mkdirSync(join(folder, 'shop', 'lib'), { recursive: true })
  process.chdir(join(folder, 'shop'))
  vi.stubEnv('HOME', folder)
  vi.spyOn(process, 'argv', 'get').mockReturnValue([process.execPath, main])
})
afterEach(() => {
  process.chdir(before)
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const printed = async (...words: string[]) => {
  const text = await addClient(parseConfig(['add', ...words, '--print'], {}))
  const at = text.indexOf('\n\n')
  return { path: text.slice(0, at), file: JSON.parse(text.slice(at)) }
}

test('the folder is named in the entry as on every machine, since a client may start its servers anywhere', async () => {
  const { path, file } = await printed('vscode', '--page-size', '2000', '--structured-content')
  expect(path).toBe(join(folder, 'shop/.vscode/mcp.json'))
  const { type, command, args } = file.servers.code
  expect({ type, command }).toEqual({ type: 'stdio', command: process.execPath })
  expect(args[0]).toBe(main)
  expect(args.slice(1)).toEqual([
    '--page-size',
    '2000',
    '--structured-content',
    '${workspaceFolder}',
  ])
})

test.each([
  [
    ['cursor', 'lib', '.'],
    ['${workspaceFolder}/lib', '${workspaceFolder}'],
  ],
  [['claude-code', 'lib'], ['./lib']],
  [['gemini', 'lib'], ['<folder>/shop/lib']],
  [['cursor', '..'], ['<folder>']],
  [['cursor', 'lib', '--user'], ['<folder>/shop/lib']],
])('add %j names %j', async (words, named) => {
  const { file } = await printed(...words)
  expect(file.mcpServers.code.args.slice(1)).toEqual(
    named.map((path) => path.replace('<folder>', folder)),
  )
})

test('folders can be named, for all folders of the user too', async () => {
  const { path, file } = await printed('opencode', 'lib', '--name', 'lib', '--user')
  expect(path).toBe(join(folder, '.config/opencode/opencode.json'))
  expect(file.mcp.lib.command.slice(2)).toEqual([join(folder, 'shop/lib')])
})

test.each([
  [['emacs'], 'add: There is no client "emacs". Clients: claude-code,'],
  [['cursor', 'nowhere'], 'There is no folder'],
  [['windsurf', '--name', 'a b'], 'add: The name a b must consist of letters'],
])('add %j is wrong usage', async (words, message) => {
  await expect(printed(...words)).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringContaining(message),
  })
})
