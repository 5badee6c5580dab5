import { readFile } from 'node:fs/promises'
import { chainOf, unchained } from './chain.ts'
import { journalFiles, nameParts } from './journal-files.ts'

/** What `verifyJournal` found. */
export interface JournalVerification {
  files: number
  lines: number
  /** Lines of earlier versions, which have no chain. */
  unchained: number
  /** The latest value of each writer: kept elsewhere, it shows that no later line was removed. */
  chains: Record<string, string>
  /** Each begins with a file, and its line if there is one. */
  faults: string[]
}

/** Finds lines and files that were changed or removed after they were written. */
export async function verifyJournal(folder: string): Promise<JournalVerification> {
  const found: JournalVerification = { files: 0, lines: 0, unchained: 0, chains: {}, faults: [] }
  const last = new Map<string, { number: number; name: string }>()
  const files = journalFiles(folder).flatMap((path) => {
    const parts = nameParts(path)
    return parts ? [{ path, ...parts }] : []
  })
  files.sort((one, other) => one.number - other.number)
  for (const { path, name, replica, number } of files) {
    const before = last.get(replica)
    if (before && number !== before.number + 1)
      found.faults.push(`${name}: files between ${before.name} and this one are missing`)
    const lines = (await readFile(path, 'utf8')).split('\n')
    if (lines.pop() !== '') found.faults.push(`${name}: the last line is unfinished`)
    const isNext = before !== undefined && number === before.number + 1
    const {
      faults,
      chain,
      unchained: count,
    } = verifyLines(lines, isNext ? found.chains[replica] : undefined)
    found.faults.push(...faults.map((fault) => `${name}${fault}`))
    found.files++
    found.lines += lines.length
    found.unchained += count
    last.set(replica, { number, name })
    if (chain !== undefined) found.chains[replica] = chain
  }
  return found
}

/**
 * Faults in lines of one writer, each as `:from–to: what`. `expected`: the last value before them, if
 * it is known.
 */
export function verifyLines(
  lines: readonly string[],
  expected: string | undefined,
): { faults: string[]; chain: string | undefined; unchained: number } {
  const faults: string[] = []
  let before: string | undefined
  let from = 0
  for (const [index, line] of lines.entries()) {
    const end = unchained(line)
    if (end === undefined) continue
    if (before === undefined && expected !== undefined && end.after !== expected)
      faults.push(': lines are missing before it')
    before ??= end.after ?? ''
    const text = [...lines.slice(from, index), end.text].join('\n')
    if (chainOf(before, text) !== end.chain)
      faults.push(`:${from + 1}–${index + 1}: a line was changed, added or removed here`)
    before = end.chain
    from = index + 1
  }
  const rest = lines.length - from
  if (before !== undefined && rest > 0)
    faults.push(`:${from + 1}–${lines.length}: the lines have no chain value`)
  return { faults, chain: before, unchained: before === undefined ? rest : 0 }
}
