import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, hasPostgres, startPostgres } from '../../../../test/engines.ts'
import {
  type Database,
  type Documents,
  documentsSchema,
  migrate,
  openDatabase,
  openDocuments,
} from '../../src/database/index.ts'

test('a URL of another kind is refused', async () => {
  await expect(openDatabase('mysql://x', { name: 'test' })).rejects.toThrow(
    'PITH_DATABASE_URL must have the form postgresql://',
  )
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
    await Promise.all(databases.map((database) => migrate(database, 'test', [documentsSchema])))
    one = await openDocuments(databases[0], onLog)
    two = await openDocuments(databases[1], onLog)
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

  test('after `close` nothing runs, and nothing is logged', async () => {
    const said: string[] = []
    const onSaid = (text: string): void => void said.push(text)
    for (let turn = 0; turn < 20; turn++) {
      const database = await openDatabase(engine.url, { name: 'closed', onLog: onSaid })
      const documents = await openDocuments(database, onSaid)
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
    const apart = await openDocuments(other, onLog)
    await apart.change('pins', 'c', () => ({ hash: 3 }))
    await apart.close()
    await other.close()
    await expect.poll(() => two.get('pins', 'c'), { timeout: 5_000 }).toEqual({ hash: 3 })
    await expect.poll(() => one.get('pins', 'c'), { timeout: 5_000 }).toEqual({ hash: 3 })
    expect(logs).toContain('The database can be used again.')
  })
})
