import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Engine, hasPostgres, startPostgres } from '../../../test/engines.ts'
import type { CatalogEntry } from '../../aggregator/src/catalog/entries/catalog-entry.ts'
import { createSigner } from '../../base/src/signer.ts'
import { chained } from '../../journal/src/chain.ts'
import { dayAfter } from '../../journal/src/expired-until.ts'
import type { JournalLine } from '../../journal/src/journal.ts'
import {
  type Database,
  type Documents,
  documentsSchema,
  migrate,
  openDatabase,
  openDocuments,
  signedDocumentsSchema,
} from '../../server-kit/src/database/index.ts'
import {
  createDatabaseJournal,
  journalSchema,
  journalWritersSchema,
} from '../src/journal/database-journal.ts'
import { createDatabaseJournalReader } from '../src/journal/database-journal-reader.ts'
import { journalSumsSchema } from '../src/journal/database-sums.ts'
import { createSharedCatalogStore } from '../src/stores/shared-catalog-store.ts'
import { createSharedPinStore } from '../src/stores/shared-pin-store.ts'
import { createSharedTokenStore } from '../src/stores/shared-token-store.ts'

const signer = createSigner([randomBytes(32)])
let engine: Engine
let databases: Database[] = []
let documents: Documents[] = []
const logs: string[] = []
const onLog = (text: string): void => void logs.push(text)

beforeAll(async () => {
  if (!hasPostgres) return
  engine = await startPostgres({ fsync: 'off' })
  for (const name of ['one', 'two']) databases.push(await openDatabase(engine.url, { name, onLog }))
  const steps = [
    documentsSchema,
    journalSchema,
    journalWritersSchema,
    journalSumsSchema,
    signedDocumentsSchema,
  ]
  await migrate(databases[0] as Database, 'aggregator', steps)
  documents = await Promise.all(databases.map((database) => openDocuments(database, signer, onLog)))
})
afterAll(async () => {
  await Promise.all(documents.map((one) => one.close()))
  await Promise.all(databases.map((database) => database.close()))
  await engine?.stop()
  databases = []
})

const both = <T>(open: (documents: Documents, at: number) => T): [T, T] =>
  documents.map(open) as [T, T]

describe.skipIf(!hasPostgres)('pins', () => {
  test('a pin is valid here at once, elsewhere soon, and none is lost', async () => {
    const [one, two] = both((own) => createSharedPinStore(own, onLog))
    const pin = (name: string) => (pinned: ReturnType<typeof one.read>) => {
      pinned.pins[name] = { hash: name, definition: { name }, pinnedAt: 1 }
    }
    const before = two.version()
    for (let at = 0; at < 20; at++) {
      one.change('notes', 'source', pin(`a${at}`))
      two.change('notes', 'source', pin(`b${at}`))
    }
    expect(Object.keys(one.read('notes', 'source').pins)).toContain('a19')
    await Promise.all([one.settled(), two.settled()])
    await expect.poll(() => Object.keys(one.read('notes', 'source').pins).length).toBe(40)
    await expect.poll(() => Object.keys(two.read('notes', 'source').pins).length).toBe(40)
    expect(two.version()).toBeGreaterThan(before)
    expect(one.all().map(({ server }) => server)).toEqual(['notes'])
    expect(one.read('notes', 'another').pins).toEqual({})
  })

  test('names of tools are keys only', async () => {
    const [one, two] = both((own) => createSharedPinStore(own, onLog))
    one.change('odd', 'source', ({ pins }) => {
      const pin = { hash: 'x', definition: {}, pinnedAt: 1 }
      Object.assign(pins, JSON.parse(JSON.stringify({ pin }).replace('pin', '__proto__')))
    })
    await one.settled()
    await expect.poll(() => Object.keys(two.read('odd', 'source').pins)).toEqual(['__proto__'])
  })
})

const entryOf = (readAt: number, tool: string): CatalogEntry => ({
  server: 'notes',
  fingerprint: 'f',
  era: 'modern',
  capabilities: {},
  readAt,
  tools: [{ name: tool }],
  prompts: [],
  resources: [],
  resourceTemplates: [],
  skills: [],
})

describe.skipIf(!hasPostgres)('the catalog', () => {
  test('a replica gets the lists that another has read, and those that were stored last count', async () => {
    const [one, two] = both((own) => createSharedCatalogStore(own, onLog))
    const told: string[] = []
    two.follow(({ server, tools }) => void told.push(`${server} ${tools[0]?.['name']}`))
    one.write(entryOf(2, 'new'))
    await expect.poll(() => told).toEqual(['notes new'])
    two.write(entryOf(1, 'old'))
    await sleep(100)
    expect(one.read()).toEqual([entryOf(1, 'old')])
    expect(two.read()).toEqual([entryOf(1, 'old')])
  })
})

describe.skipIf(!hasPostgres)('sign-ins', () => {
  const key = { unit: 'notes', address: 'https://notes.example/mcp' }

  test('are sealed, and only one replica refreshes', async () => {
    const secret = randomBytes(32)
    const [one, two] = both((own) =>
      createSharedTokenStore({ documents: own, keys: [secret], onLog }),
    )
    let refreshes = 0
    const refresh = async (stored: Awaited<ReturnType<typeof one.read>>) => {
      if (stored?.requestedScope === 'fresh') return stored
      refreshes++
      await sleep(50)
      return { requestedScope: 'fresh' }
    }
    await Promise.all([one, two, one, two].map((store) => store.change(key, refresh)))
    expect(refreshes).toBe(1)
    for (const store of [one, two])
      await expect.poll(() => store.read(key)).toEqual({ requestedScope: 'fresh' })
    const rows = await databases[0]?.query<{ body: string }>(
      "SELECT body FROM pith_documents WHERE kind = 'sign-ins'",
    )
    expect(rows?.[0]?.body).not.toContain('fresh')

    const [other] = both((own) =>
      createSharedTokenStore({ documents: own, keys: [randomBytes(32)], onLog }),
    )
    expect(await other.read(key)).toBeUndefined()
    expect(logs.at(-1)).toContain('cannot be decrypted with PITH_CLUSTER_KEY')
    await one.remove(key)
    await expect.poll(() => two.read(key)).toBeUndefined()
  })
})

describe.skipIf(!hasPostgres)('the journal', () => {
  const lineOf = (message: string, time = new Date().toISOString()): JournalLine => ({
    time,
    kind: 'call',
    outcome: 'ok',
    message,
  })
  const open = (at: number, replica: string, more = {}) => {
    const database = databases[at] as Database
    return createDatabaseJournal({ database, replica, onLog, ...more })
  }
  const read = async (): Promise<string[]> => {
    const reader = createDatabaseJournalReader(databases[0] as Database)
    const found: string[] = []
    for await (const { message = '' } of reader.read()) found.push(message)
    return found
  }

  test('lines of all replicas are durable when `write` resolves, in order, and verified', async () => {
    const writers = [open(0, 'aaaaaaaa'), open(1, 'bbbbbbbb')]
    await Promise.all(
      writers.flatMap((writer, at) =>
        Array.from({ length: 2_500 }, (_, n) => writer.write(lineOf(`${at} ${n}`))),
      ),
    )
    const found = await read()
    expect(found).toHaveLength(5_000)
    for (const at of ['0', '1'])
      expect(found.filter((one) => one.startsWith(at)).map((one) => Number(one.slice(2)))).toEqual(
        Array.from({ length: 2_500 }, (_, n) => n),
      )
    const reader = createDatabaseJournalReader(databases[1] as Database)
    const { lines, faults, files } = await reader.verify()
    expect({ lines, faults, files }).toEqual({ lines: 5_000, faults: [], files: 2 })

    const { lines: page, next } = await reader.search({ matches: () => true, limit: 3 })
    expect(page).toHaveLength(3)
    const rest = await reader.search({ matches: () => true, limit: 9_000, before: next })
    expect(rest.lines).toHaveLength(4_997)
    expect(rest.next).toBeUndefined()
    const some = await reader.search({ matches: () => true, text: '0 24', limit: 9_000 })
    expect(some.lines.length).toBe(111)

    const tail = reader.tail()
    let seen = 0
    await tail.readNew(() => seen++)
    expect(seen).toBe(5_000)
    await writers[0]?.write(lineOf('later'))
    const later: unknown[] = []
    await tail.readNew(({ message }) => later.push(message))
    expect(later).toEqual(['later'])
  })

  test('a changed and a removed line are found', async () => {
    const reader = createDatabaseJournalReader(databases[0] as Database)
    const own = open(0, 'cccccccc')
    for (let n = 0; n < 5; n++) await own.write(lineOf(`c ${n}`))
    const change = (text: string) => databases[0]?.query(text)
    await change(
      "UPDATE pith_journal SET line = replace(line, 'c 1', 'c 9') WHERE replica = 'cccccccc'",
    )
    await change("DELETE FROM pith_journal WHERE replica = 'cccccccc' AND number = 4")
    const { faults } = await reader.verify()
    expect(faults).toEqual([
      expect.stringContaining('cccccccc before 2'),
      expect.stringMatching(/^cccccccc: lines between 3 and 5 are missing, of 20/),
      expect.stringContaining('lines are missing before it'),
    ])
  })

  test('while the database is down lines wait, and with failClosed calls are refused', async () => {
    const patient = open(0, 'dddddddd')
    const strict = open(1, 'eeeeeeee', { failClosed: true })
    await Promise.all([patient.write(lineOf('p 0')), strict.write(lineOf('s 0'))])
    await engine.kill()
    const [first, refused] = [patient.write(lineOf('p 1')), strict.write(lineOf('s 1'))]
    await expect(refused).rejects.toMatchObject({ code: 'journal_unwritable' })
    await first
    expect(() => strict.check?.()).toThrow('Nothing was done.')
    // Resolves although the database is still down.
    await patient.write(lineOf('p 2'))
    await engine.start()
    const own = (letter: string) =>
      read().then((all) => all.filter((one) => one.startsWith(letter)))
    await expect.poll(() => own('p').catch(() => [])).toEqual(['p 0', 'p 1', 'p 2'])
    await expect.poll(() => own('s')).toEqual(['s 0', 's 1'])
    await strict.check?.()
    const { faults } = await createDatabaseJournalReader(databases[0] as Database).verify()
    expect(faults.filter((fault) => /^[de]{8}/.test(fault))).toEqual([])
  })

  test('a line that was inserted before midnight is not inserted again after it', async () => {
    const database = databases[0] as Database
    const line = { time: new Date().toISOString(), kind: 'call', outcome: 'ok' } as const
    const writeOnce = async () => {
      const journal = createDatabaseJournal({ database, replica: 'midnight', onLog })
      await journal.write(line)
      await journal.close()
    }
    await writeOnce()
    const [days] = await database.query<Record<string, string>>(
      "SELECT to_char(day - 1, 'YYYY-MM-DD') AS from, to_char(day, 'YYYY-MM-DD') AS to FROM pith_journal WHERE replica = 'midnight'",
    )
    const earlier = `pith_journal_${days?.['from']?.replaceAll('-', '')}`
    await database.query(
      `CREATE TABLE ${earlier} PARTITION OF pith_journal FOR VALUES FROM ('${days?.['from']}') TO ('${days?.['to']}')`,
    )
    await database.query("UPDATE pith_journal SET day = day - 1 WHERE replica = 'midnight'")
    await writeOnce()
    expect(
      await database.query("SELECT number FROM pith_journal WHERE replica = 'midnight'"),
    ).toHaveLength(1)
    await database.query(`DROP TABLE ${earlier}`)
    await database.query("DELETE FROM pith_journal WHERE replica = 'midnight'")
  })

  describe('a whole that is missing is named:', () => {
    const faultsOf = async (replica: string) => {
      const { faults } = await createDatabaseJournalReader(databases[0] as Database).verify()
      return faults.filter((fault) => fault.startsWith(replica))
    }
    const change = (text: string) => databases[0]?.query(text)

    test('a writer', async () => {
      for (let n = 0; n < 3; n++) await open(0, 'writer01').write(lineOf(`w ${n}`))
      expect(await faultsOf('writer01')).toEqual([])
      await change("DELETE FROM pith_journal WHERE replica = 'writer01'")
      expect(await faultsOf('writer01')).toEqual([
        expect.stringMatching(/^writer01: lines between 0 and its end are missing, of 20\d\d-/),
      ])
      await change("DELETE FROM pith_journal_writers WHERE replica = 'writer01'")
    })

    test('the last lines', async () => {
      const own = open(0, 'writer02')
      for (let n = 0; n < 3; n++) await own.write(lineOf(`w ${n}`))
      await change("DELETE FROM pith_journal WHERE replica = 'writer02' AND number = 3")
      expect(await faultsOf('writer02')).toEqual([
        expect.stringContaining('lines between 2 and its end are missing'),
      ])
      await change("DELETE FROM pith_journal_writers WHERE replica = 'writer02'")
      expect(await faultsOf('writer02')).toEqual([
        'writer02: it is missing in pith_journal_writers',
      ])
      await change("DELETE FROM pith_journal WHERE replica = 'writer02'")
    })
  })

  test('with failClosed, the first call finds out whether its line can be written', async () => {
    const calm = databases[0] as Database
    let isBroken = true
    const database: Database = {
      ...calm,
      query: (text, values, ms) =>
        calm.query(
          isBroken ? text.replace('pith_journal (', 'pith_journal_no (') : text,
          values,
          ms,
        ),
    }
    const broken = createDatabaseJournal({ database, replica: 'broken00', onLog, failClosed: true })
    for (const _ of [1, 2]) await expect(broken.check?.()).rejects.toThrow('Nothing was done.')
    isBroken = false
    await broken.check?.()
    const strict = open(0, 'strict00', { failClosed: true })
    await strict.check?.()
    await strict.write(lineOf('s'))
    // A warm call asks nothing.
    expect(strict.check?.()).toBeUndefined()
    await calm.query("DELETE FROM pith_journal_writers WHERE replica = 'strict00'")
    await calm.query("DELETE FROM pith_journal WHERE replica = 'strict00'")
  })
})

describe.skipIf(!hasPostgres)('the retention of the journal', () => {
  let today = ''
  const query = <Row extends Record<string, unknown>>(text: string, values?: unknown[]) =>
    (databases[0] as Database).query<Row>(text, values)
  const at = (days: number) => dayAfter(today, days)
  const tableOf = (day: string) => `pith_journal_${day.replaceAll('-', '')}`

  beforeAll(async () => {
    today = new Date().toISOString().slice(0, 10)
  })
  beforeEach(async () => {
    const tables = await query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relname ~ '^pith_journal_[0-9]{8}$'",
    )
    for (const { name } of tables) await query(`DROP TABLE ${name}`)
    await query('DELETE FROM pith_journal_writers')
  })

  async function plant(days: number): Promise<void> {
    for (let ago = days; ago > 0; ago--) {
      const [from, to] = [at(-ago), at(1 - ago)]
      await query(
        `CREATE TABLE ${tableOf(from)} PARTITION OF pith_journal FOR VALUES FROM ('${from}') TO ('${to}')`,
      )
      const call = { time: `${from}T10:00:00.000Z`, kind: 'call', outcome: 'ok' }
      const line = chained(JSON.stringify(call), '', true)[0].trimEnd()
      await query('INSERT INTO pith_journal VALUES ($1, $2, 1, $3, $4)', [
        from,
        `old${ago}`,
        from,
        line,
      ])
    }
  }

  /** The clock of the database, and ours if it is wrong as well, is some days off. */
  function clockAt(offset: number, isOurs: boolean) {
    const real = databases[0] as Database
    const shifted = (text: string) =>
      text.replaceAll('now()', `(now() + interval '${offset} days')`)
    const database: Pick<Database, 'query' | 'transaction'> = {
      query: (text, values, ms) => real.query(shifted(text), values, ms),
      transaction: (work) =>
        real.transaction((own) => work((text, values, ms) => own(shifted(text), values, ms))),
    }
    const now = () => new Date(Date.now() + (isOurs ? offset * 86_400_000 : 0))
    return { database, now }
  }

  async function writeAt(
    offset: number,
    isOurs = false,
    replica = `n${randomBytes(4).toString('hex')}`,
  ) {
    const journal = createDatabaseJournal({ ...clockAt(offset, isOurs), replica, onLog })
    await journal.write({ time: new Date().toISOString(), kind: 'call', outcome: 'ok' })
    await journal.close()
  }

  const kept = async () => {
    const rows = await query<{ replica: string }>(
      "SELECT replica FROM pith_journal WHERE replica LIKE 'old%'",
    )
    return rows.length
  }

  test.each([
    [false, [100, 100, 100]],
    [true, [100, 100, 100]],
    [true, [100, 200, -100]],
    [true, [-100, -100, 0]],
    [false, [100, -100, 0]],
  ])(
    'removes nothing in three looks of a wrong clock (ours too: %s, %o)',
    async (isOurs, offsets) => {
      await plant(90)
      for (const offset of offsets) await writeAt(offset, isOurs)
      expect(await kept()).toBe(90)
      const lines = await query("SELECT FROM pith_journal WHERE line LIKE '%call%'")
      expect(lines).toHaveLength(93)
    },
  )

  test.each([100, -100])(
    'removes one day at most in a week of a clock at %i days',
    async (offset) => {
      await plant(110)
      for (let day = 0; day < 8; day++) await writeAt(offset + day, true)
      expect(await kept()).toBeGreaterThanOrEqual(109)
    },
  )

  test('removes one day a day, with a line, and `verify` says so', async () => {
    await plant(100)
    for (let day = 0; day < 4; day++) for (let n = 0; n < 2; n++) await writeAt(day, true)
    expect(await kept()).toBe(96)
    const reader = createDatabaseJournalReader(databases[0] as Database)
    const { lines } = await reader.search({ matches: ({ kind }) => kind === 'admin', limit: 9 })
    expect(lines).toHaveLength(4)
    expect(lines.at(-1)).toMatchObject({
      via: 'retention',
      tool: `remove ${at(-100)}`,
      count: 1,
      reason: 'retentionDays',
    })
    expect(await reader.verify()).toMatchObject({
      faults: [],
      removed: { days: 4, last: at(3) },
      unrecorded: 96,
    })
  })

  test('is not somebody who drops a partition', async () => {
    let day = 0
    const database: Pick<Database, 'query' | 'transaction'> = {
      query: (text, values, ms) => clockAt(day, true).database.query(text, values, ms),
      transaction: () => Promise.reject(new Error('not used')),
    }
    const now = () => new Date(Date.now() + day * 86_400_000)
    const journal = createDatabaseJournal({ database, now, replica: 'writer03', onLog })
    for (; day < 4; day++) {
      // The partitions of a day and the next one are there.
      if (day === 2) await writeAt(2, true)
      if (day === 3) await writeAt(3, true)
      await journal.write({ time: new Date().toISOString(), kind: 'call', outcome: 'ok' })
    }
    await journal.close()
    const reader = createDatabaseJournalReader(databases[0] as Database)
    expect((await reader.verify()).faults).toEqual([])
    for (const gone of [1, 3, 0]) {
      await query(`DROP TABLE ${tableOf(at(gone))}`)
      const { faults } = await reader.verify()
      expect(faults.filter((fault) => fault.startsWith('writer03')).join('; ')).toContain(at(gone))
    }
  })
})
