import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, hasPostgres, startPostgres } from '../../../../test/engines.ts'
import { createSigner } from '../../../base/src/signer.ts'
import {
  type Database,
  type Documents,
  documentsSchema,
  migrate,
  openDatabase,
  openDocuments,
  signDocuments,
  signedDocumentsSchema,
} from '../../src/database/index.ts'

const signer = createSigner([Buffer.alloc(32, 1)])

test('a URL of another kind is refused', async () => {
  await expect(openDatabase('mysql://x', { name: 'test' })).rejects.toThrow(
    'PITH_DATABASE_URL must have the form postgresql://',
  )
})

/** A database without documents, and what is sent to whoever listens. */
function startFake() {
  const asked: unknown[][] = []
  let send = (_payload: string): void => {}
  const database = {
    async query(_text: string, values: unknown[] = []) {
      asked.push(values)
      await new Promise(setImmediate)
      return []
    },
    listen(_channel: string, onNotice: (payload: string) => void) {
      send = onNotice
      return () => {}
    },
  } as unknown as Database
  return { database, asked, send: (payload: string) => send(payload) }
}

const strange = [
  '',
  'x',
  '7',
  'null',
  '{}',
  '[]',
  '[null]',
  '["a"]',
  '[{"a":1},[]]',
  '["a","b","c"]',
]
strange.push('["a","\\u0000"]', 'y'.repeat(7_900), JSON.stringify(['z'.repeat(5_000), 'a']))
for (let at = 0; at < 200; at++)
  strange.push(
    createHash('md5')
      .update(`payload ${at}`)
      .digest()
      .toString('latin1')
      .slice(0, at % 16),
  )

test('a notification that names no document loads all of them, and ends nothing', async () => {
  const { database, asked, send } = startFake()
  const documents = await openDocuments(database, signer, () => {})
  for (const payload of strange) {
    asked.length = 0
    send(payload)
    await expect.poll(() => asked, { interval: 1 }).toEqual([[]])
  }
  await documents.close()
})

test('as many notifications as there may be are loaded one by one, or all at once', async () => {
  const { database, asked, send } = startFake()
  const documents = await openDocuments(database, signer, () => {})
  asked.length = 0
  send('["pins","a"]')
  send('["pins","a"]')
  await expect
    .poll(() => asked)
    .toEqual([
      ['pins', 'a'],
      ['pins', 'a'],
    ])
  for (let at = 0; at < 5_000; at++) send(JSON.stringify(['pins', `${at}`]))
  await documents.close()
  expect(asked.length).toBeLessThan(10)
})

test('with the mark of a higher revision, an old row does not count, and no change begins with it', async () => {
  const row = (revision: string) => {
    const unsigned = { kind: 'tokens', name: 'all', body: '["old"]', revision }
    const { kind, name, body } = unsigned
    return { ...unsigned, mac: signer.sign(kind, name, revision, body) }
  }
  const query = async (text: string) =>
    text.includes('nextval') ? [{ revision: '9' }] : text.includes('SELECT kind') ? [row('4')] : []
  const database = {
    query,
    transaction: (work: (ask: typeof query) => unknown) => work(query),
    listen: () => () => {},
  } as unknown as Database
  const noted: string[] = []
  const open = (mark?: bigint) =>
    openDocuments(database, signer, () => {}, {
      of: async (documents) => documents.map(() => mark),
      note: ({ revision }) => void noted.push(revision),
    })
  for (const mark of [undefined, 3n, 4n])
    expect((await open(mark)).get('tokens', 'all')).toEqual(['old'])
  const documents = await open(5n)
  expect(documents.get('tokens', 'all')).toBeUndefined()
  expect(documents.isRefused('tokens', 'all')).toBe(true)
  await documents.change('tokens', 'all', (stored) => [stored ?? 'none'])
  expect(documents.get('tokens', 'all')).toEqual(['none'])
  expect(noted).toEqual(['9'])
})

describe.skipIf(!hasPostgres)('documents in PostgreSQL', () => {
  let engine: Engine
  let databases: [Database, Database]
  let one: Documents
  let two: Documents
  const logs: string[] = []
  const onLog = (text: string): void => void logs.push(text)

  beforeAll(async () => {
    engine = await startPostgres({ fsync: 'off' })
    const open = () => openDatabase(engine.url, { name: 'test', onLog })
    databases = [await open(), await open()]
    await Promise.all(
      databases.map((database) =>
        migrate(database, 'test', [documentsSchema, signedDocumentsSchema]),
      ),
    )
    one = await openDocuments(databases[0], signer, onLog)
    two = await openDocuments(databases[1], signer, onLog)
  })
  afterAll(async () => {
    await one?.close()
    await two?.close()
    await Promise.all((databases ?? []).map((database) => database.close()))
    await engine?.stop()
  })

  test('programs that start together migrate once', async () => {
    const steps = ['CREATE TABLE first (id integer)', 'CREATE TABLE second (id integer)']
    const applied = await Promise.all(
      [...databases, ...databases].map((database) => migrate(database, 'together', steps)),
    )
    expect(applied.flat().sort()).toEqual([1, 2])
    expect(await migrate(databases[0], 'together', [...steps, 'DROP TABLE second'])).toEqual([3])
  })

  test('a step has no limit of time, and others keep theirs', async () => {
    const limit = "current_setting('statement_timeout') AS value"
    await migrate(databases[0], 'slow', [`CREATE TABLE step_limit AS SELECT ${limit}`])
    const [step] = await databases[0].query('SELECT value FROM step_limit')
    const [other] = await databases[0].query(`SELECT ${limit}`)
    expect([step, other]).toEqual([{ value: '0' }, { value: '30s' }])
  })

  test('a change is seen by its replica at once, and by others soon', async () => {
    const heard: string[] = []
    two.onChange('pins', (name) => heard.push(name))
    expect(await one.change('pins', 'a', () => ({ hash: 1 }))).toEqual({ hash: 1 })
    expect(one.get('pins', 'a')).toEqual({ hash: 1 })
    await expect.poll(() => two.get('pins', 'a')).toEqual({ hash: 1 })
    expect(heard).toEqual(['a'])
    expect([...two.all('pins').keys()]).toEqual(['a'])
    expect(two.version('pins')).toBe(1)
  })

  test('concurrent changes are not lost', async () => {
    const count = (documents: Documents) =>
      documents.change<number>('counts', 'n', (stored = 0) => stored + 1)
    await Promise.all(Array.from({ length: 40 }, (_, at) => count(at % 2 ? one : two)))
    expect(await count(one)).toBe(41)
    await expect.poll(() => two.get('counts', 'n')).toBe(41)
  })

  test('a deleted document is gone everywhere; nothing is written for the same object', async () => {
    await one.change('tokens', 't', () => ({ id: 1 }))
    await expect.poll(() => two.get('tokens', 't')).toEqual({ id: 1 })
    await two.change('tokens', 't', () => undefined)
    await expect.poll(() => one.get('tokens', 't')).toBe(undefined)
    const before = one.version('tokens')
    await one.change('tokens', 't', (stored) => stored)
    expect(one.version('tokens')).toBe(before)
  })

  test('a rejected edit changes nothing', async () => {
    await one.change('pins', 'b', () => ({ hash: 1 }))
    const failing = one.change('pins', 'b', () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(one.get('pins', 'b')).toEqual({ hash: 1 })
  })

  /** What somebody who can write the database does, and the notice of it. */
  async function tamper(text: string, values: unknown[], notice?: [string, string]): Promise<void> {
    await databases[0].query(text, values)
    if (notice)
      await databases[0].query('SELECT pg_notify($1, $2)', [channel, JSON.stringify(notice)])
  }
  const channel = 'pith_documents'
  const rowOf = async (kind: string, name: string) =>
    (
      await databases[0].query<{ body: string | null; revision: string; mac: string }>(
        'SELECT body, revision, mac FROM pith_documents WHERE kind = $1 AND name = $2',
        [kind, name],
      )
    )[0]

  test('documents that no replica has signed do not exist, and are named', async () => {
    const insert = `INSERT INTO pith_documents (kind, name, body, revision, mac)
      VALUES ($1, $2, $3, nextval('pith_document_revisions'), $4)
      ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body, revision = excluded.revision, mac = excluded.mac`
    await one.change('pins', 'signed', () => ({ hash: 1 }))
    const { body, mac } = (await rowOf('pins', 'signed')) ?? {}
    const forged: [string, string, string | null | undefined, string | undefined][] = [
      ['console-sessions', 'k', '{"signedIn":{"kind":"owner"}}', ''],
      ['console-sessions', 'other', body, mac],
      ['tokens', 'signed', body, mac],
      ['pins', 'signed', '{"hash":2}', mac],
    ]
    for (const [kind, name, ...rest] of forged)
      await tamper(insert, [kind, name, ...rest], [kind, name])
    await expect.poll(() => two.refused().length).toBe(4)
    const late = await openDocuments(databases[1], signer, onLog)
    for (const [kind, name] of forged.slice(0, 3))
      for (const documents of [one, two, late]) {
        expect(documents.get(kind, name)).toBeUndefined()
        expect(documents.isRefused(kind, name)).toBe(true)
      }
    // Who knew the document keeps it.
    expect([two.get('pins', 'signed'), late.get('pins', 'signed')]).toEqual([
      { hash: 1 },
      undefined,
    ])
    expect(two.refused()).toContain('console-sessions k')
    const logged = () => logs.filter((line) => line.includes('console-sessions k in the database'))
    expect(logged()).toHaveLength(3)
    await tamper(insert, ['console-sessions', 'k', '{}', ''], ['console-sessions', 'k'])
    // The next change signs it again.
    await one.change<{ hash: number }>('pins', 'signed', (stored) => ({
      hash: (stored?.hash ?? 0) + 10,
    }))
    for (const documents of [one, two, late])
      await expect.poll(() => documents.get('pins', 'signed')).toEqual({ hash: 11 })
    expect(two.isRefused('pins', 'signed')).toBe(false)
    expect(logged()).toHaveLength(3)
    await late.close()
    await tamper(`DELETE FROM pith_documents WHERE name IN ('k', 'other', 'signed')`, [])
  })

  test('an older document that was signed is not taken back', async () => {
    await one.change('pins', 'old', () => ({ hash: 1 }))
    const before = await rowOf('pins', 'old')
    await one.change('pins', 'old', () => ({ hash: 2 }))
    const values = [before?.body, before?.revision, before?.mac]
    await tamper(
      `UPDATE pith_documents SET body = $1, revision = $2, mac = $3 WHERE name = 'old'`,
      values,
      ['pins', 'old'],
    )
    await one.change<{ hash: number }>('pins', 'old', (stored) => ({
      hash: (stored?.hash ?? 0) + 1,
    }))
    await expect.poll(() => two.get('pins', 'old')).toEqual({ hash: 3 })
    expect(logs.at(-1)).toContain('pins old in the database is not signed')
    // With the revision of now, it is not the document that was signed.
    await tamper(
      `UPDATE pith_documents SET body = $1, mac = $2, revision = revision + 1 WHERE name = 'old'`,
      [before?.body, before?.mac],
      ['pins', 'old'],
    )
    await expect.poll(() => two.isRefused('pins', 'old')).toBe(true)
    expect(two.get('pins', 'old')).toEqual({ hash: 3 })
  })

  test('a role without a right cannot end who listens, nor keep it from changes', async () => {
    await databases[0].query('CREATE ROLE norights LOGIN')
    const url = new URL(engine.url)
    url.username = 'norights'
    const other = await openDatabase(url.href, { name: 'norights' })
    for (const payload of strange.filter((text) => !text.includes('\0') && text.length < 8_000))
      await other.query('SELECT pg_notify($1, $2)', ['pith_documents', payload])
    await other.close()
    await one.change('pins', 'after', () => ({ hash: 1 }))
    await expect.poll(() => two.get('pins', 'after')).toEqual({ hash: 1 })
  })

  test('programs of earlier versions read documents, and cannot write any', async () => {
    const write = databases[0].query(
      `INSERT INTO pith_documents (kind, name, body, revision) VALUES ('pins', 'a', '{}', 1)
       ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body`,
    )
    await expect(write).rejects.toThrow(/mac/)
  })

  test('deleted documents leave no row after a day, and none comes back', async () => {
    await one.change('sessions', 'ended', () => ({ id: 1 }))
    await expect.poll(() => two.get('sessions', 'ended')).toEqual({ id: 1 })
    const database = await openDatabase(engine.url, { name: 'deaf' })
    // It hears of nothing, as while it is cut off, until it listens again.
    let hear = (): void => {}
    const listen: Database['listen'] = (_channel, _onNotice, onConnected) => {
      hear = onConnected
      return () => {}
    }
    const deaf = await openDocuments({ ...database, listen }, signer, onLog)
    await one.change('sessions', 'ended', () => undefined)
    await tamper(`UPDATE pith_documents SET written_at = now() - interval '25 hours'`, [])
    await two.change('sessions', 'another', () => ({ id: 2 }))
    await two.change('sessions', 'another', () => undefined)
    const kept = await databases[0].query<{ name: string }>(
      'SELECT name FROM pith_documents WHERE body IS NULL',
    )
    expect(kept).toEqual([{ name: 'another' }])
    expect(deaf.get('sessions', 'ended')).toEqual({ id: 1 })
    hear()
    await expect.poll(() => deaf.get('sessions', 'ended')).toBeUndefined()
    for (const documents of [one, two]) expect(documents.get('sessions', 'ended')).toBeUndefined()
    await deaf.change('sessions', 'ended', () => ({ id: 3 }))
    for (const documents of [one, two])
      await expect.poll(() => documents.get('sessions', 'ended')).toEqual({ id: 3 })
    await deaf.close()
    await database.close()
  })

  test('with two keys all documents are signed by the first, but for those that none has signed', async () => {
    await one.change('pins', 'moved', () => ({ hash: 1 }))
    await tamper(
      `INSERT INTO pith_documents (kind, name, body, revision, mac) VALUES ('pins', 'forged', '{}', 1, 'x')`,
      [],
    )
    const [young, old] = [Buffer.alloc(32, 2), Buffer.alloc(32, 1)]
    const sign = (keys: Buffer[], areTrusted: boolean) =>
      databases[0].transaction((query) => signDocuments(query, createSigner(keys), areTrusted))
    expect(await sign([young, old], false)).toEqual([])
    const after = await openDocuments(databases[1], createSigner([young]), onLog)
    expect(after.get('pins', 'moved')).toEqual({ hash: 1 })
    expect(after.refused()).toContain('pins forged')
    expect(await sign([young], true)).toContain('pins forged')
    await after.close()
    await sign([old, young], false)
  })

  test('after `close` nothing runs, and nothing is logged', async () => {
    const said: string[] = []
    const onSaid = (text: string): void => void said.push(text)
    for (let turn = 0; turn < 20; turn++) {
      const database = await openDatabase(engine.url, { name: 'closed', onLog: onSaid })
      const documents = await openDocuments(database, signer, onSaid)
      // Listening begins meanwhile, and a notice arrives.
      for (let wait = 0; wait < turn; wait++) await new Promise(setImmediate)
      if (turn % 2 === 0) await one.change('pins', 'closed', () => ({ turn }))
      const query = database.query('SELECT pg_sleep(0.01)')
      await documents.close()
      await database.close()
      await query
      await expect(database.query('SELECT 1')).rejects.toThrow()
    }
    expect(said).toEqual([])
  })

  test('after a crash of the database, changes of the meantime are read', async () => {
    await one.change('pins', 'c', () => ({ hash: 1 }))
    await engine.kill()
    await expect(one.change('pins', 'c', () => ({ hash: 2 }))).rejects.toThrow()
    expect(one.get('pins', 'c')).toEqual({ hash: 1 })
    expect(databases[0].problem()).toEqual(expect.any(String))
    await engine.start()
    const other = await openDatabase(engine.url, { name: 'other' })
    const apart = await openDocuments(other, signer, onLog)
    await apart.change('pins', 'c', () => ({ hash: 3 }))
    await apart.close()
    await other.close()
    await expect.poll(() => two.get('pins', 'c')).toEqual({ hash: 3 })
    await expect.poll(() => one.get('pins', 'c')).toEqual({ hash: 3 })
    expect(logs).toContain('The database can be used again.')
  })
})
