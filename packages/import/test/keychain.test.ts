import { expect, test } from 'vitest'
import { createHome } from '../../server-kit/test/clients/plant.ts'
import { cursorFile, own, put, run, treeOf } from './import-tree.ts'

const cursor = JSON.stringify({
  mcpServers: {
    notes: {
      command: 'node',
      args: ['/opt/tools/a long folder/notes.js'],
      env: { TOKEN: 's3cret' },
    },
    web: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${env:WEB}' } },
  },
})

/** A stand-in for the keychain of the system. */
function createStandIn() {
  const stored = new Map<string, string>()
  const storeSecret = async (name: string, value: string) => void stored.set(name, value)
  return { stored, storeSecret }
}

test('an import says which values would be in clear, and which server is which', async () => {
  const home = createHome()
  put(home, cursorFile, cursor)
  const { out } = await run(home, [])
  expect(out).toContain('Written in clear, as they are in your clients: notes.env.TOKEN.')
  expect(out).toContain('--keychain')
  expect(out).toContain('notes: node …/notes.js; env TOKEN')
  expect(out).not.toContain('s3cret')
})

test('with --keychain, secrets are stored, and our file refers to them', async () => {
  const home = createHome()
  put(home, cursorFile, cursor)
  const { stored, storeSecret } = createStandIn()
  await run(home, ['--keychain'], { storeSecret })
  expect(stored.size).toBe(0)
  const { code, out } = await run(home, ['--keychain', '--write'], { storeSecret })
  expect(code).toBe(0)
  expect(out).toContain('Stored in the keychain: notes.env.TOKEN.')
  expect(stored).toEqual(new Map([['notes.env.TOKEN', 's3cret']]))
  expect(own(home)).toContain('${keychain:pith/notes.env.TOKEN}')
  expect(own(home)).not.toContain('s3cret')
})

test('without a keychain nothing is moved', async () => {
  const home = createHome()
  put(home, cursorFile, cursor)
  const before = treeOf(home)
  const { code, err } = await run(home, ['--keychain', '--write'])
  expect({ code, tree: treeOf(home) }).toEqual({ code: 1, tree: before })
  expect(err).toContain('notes.env.TOKEN: there is no keychain')
})
