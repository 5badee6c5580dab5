import type { Database } from '#base/database'
import { seedOf, unchained, verifyLines } from '#journal/chain'
import { emptyVerification, type JournalVerification } from '#journal/verify-journal'
import { groupBy } from '#servers/protocol/group-by'
import { linesAfter, type Row, runsSince } from './database-lines.ts'

type Query = Database['query']

/** More lines than a writer writes at once. */
const maxGroup = 2_000

/** Lines that one writer has written on one day. */
interface WrittenDay extends Record<string, unknown> {
  replica: string
  day: string
  first: string
  number: string
  chain: string
  /** The day on which retention removed them. */
  removed: string | null
}

/** Finds lines that were changed, or removed by others than retention, after they were written. */
export async function verifyDatabaseJournal(query: Query): Promise<JournalVerification> {
  const verification = emptyVerification()
  // Before the lines, of which there may be more when they are read.
  const days = await writtenDays(query)
  const byWriter = groupBy(days, ({ replica }) => replica)
  const there = groupBy(await runsSince(query), ({ replica }) => replica)
  for (const replica of [...new Set([...there.keys(), ...byWriter.keys()])].sort()) {
    const lines = linesAfter(query, there.get(replica) ?? [])
    await verifyWriter({ query, replica, lines }, byWriter.get(replica) ?? [], verification)
  }
  const removed = days.filter((day) => day.removed !== null)
  const last = removed
    .map((day) => day.removed ?? '')
    .sort()
    .at(-1)
  if (last) verification.removed = { days: new Set(removed.map(({ day }) => day)).size, last }
  return verification
}

const writtenDays = (query: Query): Promise<WrittenDay[]> =>
  query<WrittenDay>(
    `SELECT replica, day::text, first::text, number::text, chain, removed::text
     FROM pith_journal_writers ORDER BY replica, pith_journal_writers.first`,
  )

async function verifyWriter(
  { query, replica, lines }: { query: Query; replica: string; lines: AsyncIterable<Row> },
  days: readonly WrittenDay[],
  verification: JournalVerification,
): Promise<void> {
  const { faults, chains } = verification
  const presentDays = days.filter(({ removed }) => removed === null)
  const ends = new Map(presentDays.map((day) => [day.number, day.chain]))
  const checkGap = async (from: number, to: number, next: string): Promise<void> => {
    // Retention may have removed lines meanwhile.
    const gap = gapOf(
      (await writtenDays(query)).filter((day) => day.replica === replica),
      from,
      to,
    )
    chains[replica] = gap.chain ?? chains[replica] ?? ''
    if (gap.isRemoved || (from === 1 && gap.days.length === 0)) return
    const of = gap.days.length > 0 ? `, of ${gap.days.join(', ')}` : ''
    faults.push(`${replica}: lines between ${from - 1} and ${next} are missing${of}`)
  }
  if (days.length === 0) verification.unrecorded++
  let at = 0
  let group: string[] = []
  for await (const { number, line } of lines) {
    if (number !== at + 1) await checkGap(at + 1, number - 1, String(number))
    at = number
    group.push(line)
    verification.lines++
    const { chain } = unchained(line) ?? {}
    if ((ends.get(String(number)) || chain) !== chain)
      faults.push(`${replica}: line ${number} has another chain value than its record`)
    if (chain === undefined) {
      if (group.length < maxGroup) continue
      faults.push(`${replica}: lines until ${number} have no chain value`)
      group = []
      continue
    }
    if (days.length === 0 && line.includes(`"after":"${seedOf(replica)}"`))
      faults.push(`${replica}: it is missing in pith_journal_writers`)
    const result = verifyLines(group, chains[replica] || undefined)
    faults.push(...result.faults.map((fault) => `${replica} before ${number}${fault}`))
    chains[replica] = chain
    group = []
  }
  if (group.length > 0) faults.push(`${replica}: the last lines have no chain value`)
  const end = Math.max(0, ...presentDays.map(({ number }) => Number(number)))
  if (end > at) await checkGap(at + 1, end, 'its end')
  verification.files++
}

/** Whether retention has removed lines; else of which days they are. */
function gapOf(days: readonly WrittenDay[], from: number, to: number) {
  let next = from
  let chain: string | undefined
  for (const { first, number, removed, ...day } of days)
    if (removed !== null && Number(first) <= next && Number(number) >= next) {
      next = Number(number) + 1
      chain = day.chain
    }
  const lost = days.filter(
    ({ first, number, removed }) =>
      removed === null && Number(first) <= to && Number(number) >= from,
  )
  return { isRemoved: next > to, chain, days: lost.map(({ day }) => day) }
}
