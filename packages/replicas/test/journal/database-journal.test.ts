import { expect, test } from 'vitest'
import type { Database } from '#base/database'
import type { JournalLine } from '../../../journal/src/journal.ts'
import { createDatabaseJournal } from '../../src/journal/database-journal.ts'

test('lines that were lost while too many waited are counted in the journal', async () => {
  let isDown = true
  const inserted: JournalLine[] = []
  const database: Database = {
    async query(text, values = []) {
      if (isDown) throw new Error('down')
      if (text.includes('INSERT INTO pith_journal '))
        for (const line of values[3] as string[]) inserted.push(JSON.parse(line))
      return []
    },
    transaction: () => Promise.reject(new Error('not used')),
  }
  const journal = createDatabaseJournal({ database, replica: 'one', onLog: () => {} })
  const time = new Date().toISOString()
  for (let at = 0; at < 10_003; at++) void journal.write({ time, kind: 'call', outcome: 'ok' })
  expect(journal.loss?.()?.lines).toBe(3)
  isDown = false
  await expect.poll(() => inserted.length).toBe(10_001)
  expect(inserted.at(-1)).toMatchObject({ kind: 'event', outcome: 'journal_gap', count: 3 })
  await journal.close()
})
