import { expect, test } from 'vitest'
import { createHome } from '../../server-kit/test/clients/plant.ts'
import { cursorFile, own, put, referenceTo, run, treeOf } from './import-tree.ts'

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
  const store = async (name: string, value: string) => void stored.set(name, value)
  const secrets = async () => ({ where: 'the keychain', referenceTo, store })
  return { stored, secrets }
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
  const { stored, secrets } = createStandIn()
  await run(home, ['--keychain'], { secrets })
  expect(stored.size).toBe(0)
  const { code, out } = await run(home, ['--keychain', '--write'], { secrets })
  expect(code).toBe(0)
  expect(out).toContain('Stored in the keychain: notes.env.TOKEN.')
  expect(stored).toEqual(new Map([['notes.env.TOKEN', 's3cret']]))
  expect(own(home)).toContain('${keychain:pith/notes.env.TOKEN}')
  expect(own(home)).not.toContain('s3cret')
})

test('secret parts of arguments and addresses are stored, and the rest stays', async () => {
  const home = createHome()
  const servers = {
    db: { command: 'db-mcp', args: ['--ro', 'postgres://app:s3cret-pw@db/app'] },
    web: { url: 'https://web.example/s/k3y-in-path/mcp' },
  }
  put(home, cursorFile, JSON.stringify({ mcpServers: servers }))
  const { stored, secrets } = createStandIn()
  const found = (text = '') => ['s3cret-pw', 'k3y-in-path'].filter((part) => text.includes(part))
  const given = { secrets, secretsIn: (_: unknown, text: string) => found(text) }
  const judge = { ...given, secretsInArgs: (args: readonly string[]) => args.flatMap(found) }
  await run(home, ['--keychain', '--write'], judge)
  expect([...stored]).toEqual([
    ['db.args.1', 's3cret-pw'],
    ['web.url', 'k3y-in-path'],
  ])
  expect(own(home)).toContain('postgres://app:${keychain:pith/db.args.1}@db/app')
  expect(own(home)).toContain('https://web.example/s/${keychain:pith/web.url}/mcp')
})

test('a risk must be accepted before anything is written', async () => {
  const home = createHome()
  put(home, cursorFile, cursor)
  const before = treeOf(home)
  const given = { risksOf: (entry: object) => ('url' in entry ? [] : ['It is given /srv.']) }
  const { code, out, err } = await run(home, ['--write'], given)
  expect({ code, tree: treeOf(home) }).toEqual({ code: 1, tree: before })
  expect(out).toContain('notes: It is given /srv.')
  expect(err).toContain('--accept')
  expect((await run(home, ['--write', '--accept'], given)).code).toBe(0)
  expect(own(home)).toContain('notes.js')
})

test('without a keychain nothing is moved', async () => {
  const home = createHome()
  put(home, cursorFile, cursor)
  const before = treeOf(home)
  const { code, err } = await run(home, ['--keychain', '--write'])
  expect({ code, tree: treeOf(home) }).toEqual({ code: 1, tree: before })
  expect(err).toContain('notes.env.TOKEN: there is no keychain')
})
