import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type JournalSearch, searchJournal } from '../src/search-journal.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pith-search-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lineAt = (time: string, tool: string): string =>
  `${JSON.stringify({ time, kind: 'call', module: 'a', tool, outcome: 'ok' })}\n`

const search = (more: Partial<JournalSearch> = {}) =>
  searchJournal(folder, { matches: () => true, limit: 100, ...more })

test('the newest come first, whichever process wrote them', async () => {
  writeFileSync(
    join(folder, '2026-11-20.1.1.jsonl'),
    lineAt('2026-11-20T10:00:00.000Z', 'one') + lineAt('2026-11-20T12:00:00.000Z', 'three'),
  )
  writeFileSync(
    join(folder, '2026-11-20.2.1.jsonl'),
    lineAt('2026-11-20T11:00:00.000Z', 'two') + lineAt('2026-11-20T13:00:00.000Z', 'four'),
  )
  const { lines, next } = await search()
  expect(lines.map(({ tool }) => tool)).toEqual(['four', 'three', 'two', 'one'])
  expect(next).toBeUndefined()
})

test('a text is found in any member, whatever its case', async () => {
  writeFileSync(
    join(folder, '2026-11-20.1.1.jsonl'),
    lineAt('2026-11-20T10:00:00.000Z', 'Create_Issue') + lineAt('2026-11-20T12:00:00.000Z', 'x'),
  )
  const { lines } = await search({ text: 'create_' })
  expect(lines.map(({ tool }) => tool)).toEqual(['Create_Issue'])
})

test('a call that began before midnight and ended after it is found where it began', async () => {
  writeFileSync(
    join(folder, '2026-11-20.1.1.jsonl'),
    lineAt('2026-11-20T23:59:58.000Z', 'one') + lineAt('2026-11-20T23:59:59.500Z', 'three'),
  )
  writeFileSync(join(folder, '2026-11-21.1.2.jsonl'), lineAt('2026-11-20T23:59:59.000Z', 'two'))
  const { lines } = await search({ limit: 2 })
  expect(lines.map(({ tool }) => tool)).toEqual(['three', 'two'])
})

test('page after page gives each line once, in order, however they are spread', async () => {
  const entry = fc.record({
    day: fc.integer({ min: 18, max: 21 }),
    process: fc.integer({ min: 1, max: 3 }),
    minute: fc.integer({ min: 0, max: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 40 }),
      fc.integer({ min: 1, max: 7 }),
      async (entries, limit) => {
        rmSync(folder, { recursive: true, force: true })
        folder = mkdtempSync(join(tmpdir(), 'pith-search-'))
        const files = new Map<string, string>()
        entries.forEach(({ day, process, minute }, at) => {
          const name = `2026-11-${day}.${process}.1.jsonl`
          const line = lineAt(`2026-11-${day}T10:0${minute}:00.000Z`, `t${at}`)
          files.set(name, (files.get(name) ?? '') + line)
        })
        for (const [name, text] of files) writeFileSync(join(folder, name), text)
        const seen: { time: string; tool?: string | undefined }[] = []
        let before: string | undefined
        do {
          const { lines, next } = await search({ limit, before })
          expect(lines.length).toBeLessThanOrEqual(limit)
          seen.push(...lines)
          before = next
        } while (before !== undefined)
        expect(seen.map(({ tool }) => tool).sort()).toEqual(entries.map((_, at) => `t${at}`).sort())
        const times = seen.map(({ time }) => time)
        expect(times).toEqual([...times].sort().reverse())
      },
    ),
    { numRuns: 60 },
  )
})
