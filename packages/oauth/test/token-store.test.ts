import { randomBytes } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder as folderUntil } from '../../base/test/temporary-folder.ts'
import type { Keychain } from '../../servers/src/secrets/keychain.ts'
import type { Credential } from '../src/credential.ts'
import { createEncryptionKey } from '../src/encryption-key.ts'
import { createFileTokenStore } from '../src/file-token-store.ts'
import { lock, tryLock } from '../src/process-lock.ts'
import { createMemoryTokenStore, type TokenStore } from '../src/token-store.ts'

const temporaryFolder = () => folderUntil(onTestFinished)

const alice = { unit: 'notes@alice', address: 'https://notes.test/mcp' }
const others = [
  { unit: 'notes@bob', address: 'https://notes.test/mcp' },
  { unit: 'notes@alice', address: 'https://notes.test/other' },
  { unit: 'notes_alice', address: 'https://notes.test/mcp' },
]

const withToken = (accessToken: string): Credential => ({
  grant: {
    tokens: { accessToken, refreshToken: `refresh-of-${accessToken}` },
    client: { client_id: 'c', client_secret: 'the-secret-of-a-client' },
    discovery: {
      issuer: 'https://as.test',
      metadata: {
        authorization_endpoint: 'https://as.test/a',
        token_endpoint: 'https://as.test/t',
      },
    },
    grantedAt: 1,
  },
})
const tokenIn = (kept: Credential | undefined) => kept?.grant?.tokens.accessToken

const key = randomBytes(32)
const getKey = async () => key
const fileStore = (folder = temporaryFolder(), logs: string[] = []): TokenStore =>
  createFileTokenStore({ folder, getKey, onLog: (text) => void logs.push(text) })

describe.each([
  ['in memory', () => createMemoryTokenStore()],
  ['in files', () => fileStore()],
] as const)('a store %s', (_where, create) => {
  test('keeps one credential apart from all others', async () => {
    const store = create()
    expect(await store.read(alice)).toBeUndefined()
    await store.change(alice, () => withToken('one'))
    expect(await store.read(alice)).toEqual(withToken('one'))
    for (const other of others) expect(await store.read(other)).toBeUndefined()
    await store.remove(others[0] as never)
    await store.remove(alice)
    expect(await store.read(alice)).toBeUndefined()
  })

  test('changes one after the other', async () => {
    const store = create()
    let inside = 0
    const append = async (kept: Credential | undefined) => {
      expect(++inside).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 10))
      inside--
      return { ...kept, requestedScope: `${kept?.requestedScope ?? ''}x` }
    }
    await Promise.all(Array.from({ length: 8 }, () => store.change(alice, append)))
    expect((await store.read(alice))?.requestedScope).toBe('xxxxxxxx')
  })

  test('is as before when a change fails, and goes on', async () => {
    const store = create()
    await store.change(alice, () => withToken('one'))
    const failing = store.change(alice, () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(tokenIn(await store.change(alice, (kept) => kept))).toBe('one')
    expect(await store.change(alice, () => undefined)).toBeUndefined()
    expect(await store.read(alice)).toBeUndefined()
  })

  test('lets one sign-in be begun at a time', async () => {
    const store = create()
    const { claim } = await store.claimSignIn(alice)
    expect(await store.claimSignIn(alice)).toMatchObject({
      elsewhere: { pid: process.pid, url: undefined },
    })
    claim?.log('https://as.test/authorize')
    expect(await store.claimSignIn(alice)).toMatchObject({
      elsewhere: { pid: process.pid, url: 'https://as.test/authorize' },
    })
    expect((await store.claimSignIn(others[0] as never)).claim).toBeDefined()
    claim?.release()
    expect((await store.claimSignIn(alice)).claim).toBeDefined()
  })
})

describe('files', () => {
  test('hold nothing that can be read, for nobody else', async () => {
    const folder = join(temporaryFolder(), 'tokens')
    await fileStore(folder).change(alice, () => withToken('access-token-1'))
    const [name, ...more] = readdirSync(folder)
    expect(more).toEqual([])
    const text = readFileSync(join(folder, String(name)), 'utf8')
    const decoded = Buffer.from(text.split(':')[1] ?? '', 'base64').toString('latin1')
    for (const secret of ['access-token-1', 'refresh-of', 'the-secret', 'as.test', 'grant']) {
      expect(text).not.toContain(secret)
      expect(decoded).not.toContain(secret)
    }
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, String(name))).mode & 0o777).toBe(0o600)
  })

  test('are seen by other processes as soon as they are written', async () => {
    const folder = temporaryFolder()
    const [one, other] = [fileStore(folder), fileStore(folder)]
    for (const token of ['one', 'two', 'six']) {
      await one.change(alice, () => withToken(token))
      expect(tokenIn(await other.read(alice))).toBe(token)
    }
  })

  test.each([
    ['damaged', (text: string) => text.slice(0, -8)],
    ['changed', (text: string) => text.slice(0, -3) + (text.endsWith('AA=') ? 'BB=' : 'AA=')],
    ['empty', () => ''],
    ['of another format', () => '{"grant":{}}'],
  ])('that are %s count as none, and are replaced', async (_how, damage) => {
    const folder = temporaryFolder()
    const logs: string[] = []
    const store = fileStore(folder, logs)
    await store.change(alice, () => withToken('one'))
    const file = join(folder, String(readdirSync(folder)[0]))
    writeFileSync(file, damage(readFileSync(file, 'utf8')))
    expect(await store.read(alice)).toBeUndefined()
    expect(logs).toEqual([`${file} cannot be decrypted; notes@alice needs a new sign-in.`])
    await store.change(alice, () => withToken('two'))
    expect(tokenIn(await fileStore(folder).read(alice))).toBe('two')
  })

  test('cannot be put in the place of one another', async () => {
    const folder = temporaryFolder()
    const store = fileStore(folder)
    await store.change(alice, () => withToken('of-alice'))
    const file = join(folder, String(readdirSync(folder)[0]))
    const bob = { ...alice, unit: 'notes@bob' }
    await store.change(bob, () => withToken('of-bob'))
    const theirs = join(folder, String(readdirSync(folder).find((name) => name.includes('bob'))))
    writeFileSync(theirs, readFileSync(file))
    expect(await store.read(bob)).toBeUndefined()
  })

  test('that are only out of reach are not taken for damaged', async () => {
    const folder = temporaryFolder()
    await fileStore(folder).change(alice, () => withToken('one'))
    const locked = createFileTokenStore({
      folder,
      getKey: () => Promise.reject(new Error('the keychain is locked')),
    })
    await expect(locked.read(alice)).rejects.toThrow('locked')
    await expect(locked.change(alice, () => undefined)).rejects.toThrow('locked')
    expect(tokenIn(await fileStore(folder).read(alice))).toBe('one')
  })

  test('keep what another wrote who thought us gone', async () => {
    const folder = temporaryFolder()
    const [slow, quick] = [fileStore(folder), fileStore(folder)]
    const result = await slow.change(alice, async () => {
      const held = join(folder, String(readdirSync(folder).find((name) => name.endsWith('.held'))))
      const longAgo = new Date(Date.now() - 60_000)
      utimesSync(held, longAgo, longAgo)
      await quick.change(alice, () => withToken('newer'))
      return withToken('older')
    })
    expect([tokenIn(result), tokenIn(await slow.read(alice))]).toEqual(['newer', 'newer'])
  })
})

describe('a lock', () => {
  test('is kept for as long as its holder lives, and taken over when it does not', async () => {
    const path = join(temporaryFolder(), 'x')
    const held = tryLock(path)
    expect(tryLock(path)).toBeUndefined()
    await expect(lock(path, 50)).rejects.toThrow('held by another')
    const long = new Date(Date.now() - 60_000)
    utimesSync(path, long, long)
    // A beat later it is as new.
    await expect.poll(() => Date.now() - statSync(path).mtimeMs).toBeLessThan(2_000)
    expect(tryLock(path)).toBeUndefined()
    utimesSync(path, long, long)
    const taken = tryLock(path)
    expect([taken?.isHeld(), held?.isHeld()]).toEqual([true, false])
    held?.release()
    expect(taken?.isHeld()).toBe(true)
    taken?.release()
    expect(tryLock(path)).toBeDefined()
  })
})

describe('the key', () => {
  function keychainOf(entries = new Map<string, string>()): Keychain {
    return {
      get: async (service, account) => entries.get(`${service}/${account}`),
      set: async (service, account, value) => void entries.set(`${service}/${account}`, value),
      remove: async (service, account) => void entries.delete(`${service}/${account}`),
    }
  }
  const nowhere = () => Promise.reject(new Error('there is no keychain here'))
  const none: Keychain = { get: nowhere, set: nowhere, remove: nowhere }

  function keyIn(folder: string, keychain: Keychain) {
    const logs: string[] = []
    const find = createEncryptionKey({ folder, keychain, onLog: (text) => void logs.push(text) })
    return { find, logs, file: join(folder, 'encryption-key') }
  }

  test('is in the keychain, and in no file', async () => {
    const folder = temporaryFolder()
    const entries = new Map<string, string>()
    const { find, logs, file } = keyIn(folder, keychainOf(entries))
    const found = await find()
    expect(found).toHaveLength(32)
    expect(readFileSync(file, 'utf8')).toMatch(/^keychain:[\w-]{36}\n$/)
    expect([...entries.values()]).toEqual([found.toString('base64')])
    expect(logs).toEqual([])
    expect(await keyIn(folder, keychainOf(entries)).find()).toEqual(found)
  })

  test('is in a file where there is no keychain, stays there, and is told of once', async () => {
    const folder = temporaryFolder()
    const { find, logs, file } = keyIn(folder, none)
    const found = await find()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(logs).toEqual([`Tokens are encrypted with a key in ${file}: there is no keychain here.`])
    const later = keyIn(folder, keychainOf())
    expect(await later.find()).toEqual(found)
    expect(later.logs).toEqual([])
  })

  test('is not made anew when the keychain is out of reach', async () => {
    const folder = temporaryFolder()
    const entries = new Map<string, string>()
    const found = await keyIn(folder, keychainOf(entries)).find()
    const { find } = keyIn(folder, none)
    await expect(find()).rejects.toThrow('no keychain here')
    await expect(keyIn(folder, keychainOf()).find()).rejects.toThrow('is missing in the keychain')
    expect(await keyIn(folder, keychainOf(entries)).find()).toEqual(found)
  })

  test('is one for all who look for it at once', async () => {
    const folder = temporaryFolder()
    const keychain = keychainOf()
    const found = await Promise.all(Array.from({ length: 6 }, () => keyIn(folder, keychain).find()))
    expect(new Set(found.map((one) => one.toString('hex'))).size).toBe(1)
  })

  test('is not taken from a file that others can read, nor from a damaged one', async () => {
    const folder = temporaryFolder()
    const { find, file } = keyIn(folder, none)
    await find()
    chmodSync(file, 0o644)
    await expect(keyIn(folder, none).find()).rejects.toThrow('chmod 600')
    chmodSync(file, 0o600)
    writeFileSync(file, 'c2hvcnQ=')
    await expect(keyIn(folder, none).find()).rejects.toThrow('damaged')
  })
})
