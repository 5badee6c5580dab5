import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config/read-config.ts'
import { isSameLaunch, unitsOf } from '../../src/config/server-config.ts'

const read = async (entry: object, environment = {}) => {
  const text = JSON.stringify({ mcpServers: { it: { command: 'x', ...entry } } })
  const { servers } = await readConfig(text, environment)
  const [server] = servers
  if (server === undefined) throw new Error('no server')
  return server
}

test('paths are of the home folder, of the working directory, or absolute, with variables put in', async () => {
  const files = { read: ['~/docs', '${WHERE}/x', './here'], write: ['/y'] }
  const server = await read({ sandbox: { files }, cwd: '/w' }, { WHERE: '/v' })
  expect(server).toMatchObject({
    sandbox: {
      reads: [join(homedir(), 'docs'), '/v/x', '/w/here'],
      writes: ['/y'],
      readsAll: false,
      network: false,
    },
  })
})

test.each([
  [{ files: { read: ['./x'] } }, 'is relative, but the server has no cwd'],
  [{ files: { read: ['${NONE}'] } }, 'sandbox.files.read[0] refers to ${NONE}, which is not set'],
  [{ by: ['run', '${command:x}'] }, 'refers to a secret'],
])('a server whose sandbox cannot be meant is not used: %j', async (sandbox, problem) => {
  expect((await read({ sandbox })).problem).toContain(problem)
})

test.each([
  [{ command: undefined, url: 'https://x.example', sandbox: {} }, 'not to a url'],
  [{ sandbox: { file: 'none' } }, 'sandbox.file is not a known key'],
  [{ sandbox: { by: 'docker' } }, 'must be "bubblewrap" or a command as a list'],
  [{ sandbox: { by: 'node' } }, 'must be "bubblewrap" or a command as a list'],
  [{ sandbox: { by: ['docker'], files: 'read' } }, 'sandbox.files, which cannot be enforced'],
  [{ sandbox: { by: ['docker'], network: false } }, 'sandbox.network, which cannot be enforced'],
  [{ sandbox: { by: [] } }, 'sandbox.by'],
  [{ sandbox: { env: ['A=B'] } }, 'must be the name of a variable'],
  [{ sandbox: { files: 'all' } }, 'must be "none", "read" or {'],
  [{ sandbox: { files: { write: 'x' } } }, 'sandbox.files'],
])('%j is refused', async (entry, message) => {
  await expect(read(entry)).rejects.toThrow(message)
})

test('it is part of how a server is started, and of each account', async () => {
  const plain = await read({})
  const boxed = await read({ sandbox: {} })
  expect(isSameLaunch(plain, boxed)).toBe(false)
  expect(isSameLaunch(boxed, await read({ sandbox: { network: true } }))).toBe(false)
  expect(isSameLaunch(boxed, await read({ sandbox: {} }))).toBe(true)
  const accounts = await read({ sandbox: { network: true }, accounts: { a: {}, b: {} } })
  for (const unit of unitsOf(accounts)) expect(unit).toMatchObject({ sandbox: { network: true } })
})

test('only variables that are listed are let through, and a few that say nothing', async () => {
  const ours = { PATH: '/bin', HOME: '/h', TOKEN: 'x', LANG: 'C' }
  const envOf = async (sandbox: object) => {
    const server = await read({ sandbox }, ours)
    return server.type === 'stdio' ? server.sandbox?.env : undefined
  }
  expect(await envOf({})).toEqual({ PATH: '/bin', LANG: 'C' })
  expect(await envOf({ env: ['TOKEN', 'NONE'] })).toEqual({ TOKEN: 'x' })
  expect(await envOf({ env: [] })).toEqual({})
})
