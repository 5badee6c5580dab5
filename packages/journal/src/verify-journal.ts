import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { groupBy } from '#servers/protocol/group-by'
import { seedOf, verifyLines } from './chain.ts'
import { readLastValue } from './heartbeat.ts'
import { type JournalFile, journalFiles, partsOf } from './journal-files.ts'
import { type LastValue, readRecord, recordName, type WritersRecord } from './writers-record.ts'

/** What `verifyJournal` found. */
export interface JournalVerification {
  files: number
  lines: number
  /** Lines of earlier versions, which have no chain. */
  unchained: number
  /** Writers of earlier versions, whose first and last lines are in no record. */
  unrecorded: number
  /** How many days retention has removed, and when it last did. */
  removed: { days: number; last: string } | undefined
  /** The latest value of each writer: kept elsewhere, it shows that no later line was removed. */
  chains: Record<string, string>
  /** The same of the record of writers, if there is one. */
  record: string | undefined
  /** Each begins with a file or its writer, and its line if there is one. */
  faults: string[]
}

export const emptyVerification = (): JournalVerification => ({
  files: 0,
  lines: 0,
  unchained: 0,
  unrecorded: 0,
  removed: undefined,
  chains: {},
  record: undefined,
  faults: [],
})

/** The files of one writer, and what the record says of it. */
interface Writer {
  replica: string
  files: readonly JournalFile[]
  /** Names of the files that should be there; undefined if it is in no record. */
  names: readonly string[] | undefined
  /** Undefined if it is not known. */
  last: LastValue | undefined
}

/** Finds lines and files that were changed or removed after they were written. */
export async function verifyJournal(folder: string): Promise<JournalVerification> {
  const verification = emptyVerification()
  // Before the lines, of which there may be more when they are read.
  const record = readRecord(folder)
  const recorded = groupBy([...(record?.files.keys() ?? [])], (name) => partsOf(name).replica)
  const beats = new Map([...recorded.keys()].map((id) => [id, readLastValue(folder, id)]))
  const there = groupBy(journalFiles(folder).map(partsOf), ({ replica }) => replica)
  for (const replica of new Set([...there.keys(), ...recorded.keys()])) {
    const files = (there.get(replica) ?? []).sort((a, b) => a.number - b.number)
    const names = recorded.get(replica)
    const last = record?.ends.get(replica) ?? beats.get(replica)
    await verifyWriter(folder, { replica, files, names, last }, record, verification)
  }
  const { removedDays = 0, lastRemoved } = record ?? {}
  if (lastRemoved) verification.removed = { days: removedDays, last: lastRemoved.today }
  verification.record = record?.chain
  verification.faults.push(...(record?.faults ?? []))
  return verification
}

async function verifyWriter(
  folder: string,
  { replica, files, names, last }: Writer,
  record: WritersRecord | undefined,
  verification: JournalVerification,
): Promise<void> {
  const { faults, chains } = verification
  const missing = missingOf(folder, files, names)
  for (const name of missing)
    faults.push(
      `${name}: the file is missing, with the lines of ${replica} on ${partsOf(name).day}`,
    )
  if (names === undefined) verification.unrecorded++
  else if (last === undefined && readRecord(folder)?.ends.has(replica) !== true)
    faults.push(`${replica}: its last value is missing, in ${recordName} and its heartbeat`)
  let before: JournalFile | undefined
  let isWhole = last === undefined || last.lines === 0
  for (const file of files) {
    const { name, number } = file
    const isNext = before !== undefined && number === before.number + 1
    const removed = record?.removed.get(`${replica} ${number - 1}`)
    const first = number === 1 && names ? seedOf(name) : removed
    if (!isNext && (before ?? names) && first === undefined && missing.length === 0)
      faults.push(`${name}: files between ${before?.name ?? 'the first'} and this one are missing`)
    const text = await readFile(join(folder, name), 'utf8')
    const lines = text.split('\n')
    if (lines.pop() !== '') faults.push(`${name}: the last line is unfinished`)
    if (number === 1 && !names && text.includes(`"after":"${seedOf(name)}"`))
      faults.push(`${name}: its writer is missing in ${recordName}`)
    const result = verifyLines(lines, isNext ? chains[replica] : first)
    faults.push(...result.faults.map((fault) => `${name}${fault}`))
    isWhole ||= text.includes(`"chain":"${last?.last}"`)
    verification.files++
    verification.lines += lines.length
    verification.unchained += result.unchained
    before = file
    if (result.chain !== undefined) chains[replica] = result.chain
  }
  if (!isWhole && missing.length === 0)
    faults.push(`${replica}: lines at its end are missing; it has written ${last?.lines}`)
}

function missingOf(
  folder: string,
  files: readonly JournalFile[],
  names: readonly string[] = [],
): string[] {
  const missing = names.filter((name) => !files.some((file) => file.name === name))
  if (missing.length === 0) return []
  // Retention may have removed it meanwhile.
  const now = readRecord(folder)?.files
  return missing.filter((name) => now?.has(name) ?? true)
}
