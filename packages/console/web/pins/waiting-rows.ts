import type { Schemas } from '../api/answer-of.ts'
import type { Tone } from '../ui/plain-text.tsx'

type Tool = Schemas['WaitingTool']

/** A definition that waits for approval, at a server or at several of its accounts. */
export interface Row extends Tool {
  key: string
  server: string
  units: string[]
}

type Kind = readonly [string, Tone, (row: Row) => boolean, NonNullable<Tool['declared']>[number]?]

/** What a row can be filtered by, the riskiest first; a hint that is not declared has a default. */
export const kinds: readonly Kind[] = [
  ['findings', 'bad', (row) => row.hasFindings],
  ['changed', 'warn', (row) => row.isChanged],
  ['destructive', 'bad', (row) => row.isDestructive, 'destructiveHint'],
  ['open world', 'info', (row) => row.isOpenWorld, 'openWorldHint'],
  ['pinned in another account', 'ok', (row) => row.isPinnedElsewhere],
  ['read-only', 'still', (row) => row.isReadOnly],
  ['excluded by rules', 'still', (row) => row.isExcluded],
]

/** What a tool declares must not excuse what it is suspected of. */
export const isPlainReader = (row: Row): boolean =>
  row.isReadOnly && !row.isChanged && !row.hasFindings

/** The riskiest first. Accounts that would replace the same by the same share a row. */
export function rowsOf(servers: readonly Schemas['PinnedServer'][]): Row[] {
  const rows = new Map<string, Row>()
  for (const { server: unit, waiting } of servers)
    for (const tool of waiting) {
      const [server = unit] = unit.split('@')
      const { hash, pinnedHash, isChanged, hasFindings } = tool
      const key = JSON.stringify([server, tool.tool, hash, pinnedHash, isChanged, hasFindings])
      const row = rows.get(key) ?? { ...tool, key, server, units: [] }
      row.units.push(unit)
      row.reasons = [...new Set([...row.reasons, ...tool.reasons])]
      row.isPinnedElsewhere ||= tool.isPinnedElsewhere
      rows.set(key, row)
    }
  const ranks = new Map([...rows.values()].map((row) => [row, rankOf(row)]))
  const compare = (a: Row, b: Row) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0)
  return [...ranks.keys()].sort(
    (a, b) => compare(a, b) || a.server.localeCompare(b.server) || a.tool.localeCompare(b.tool),
  )
}

/** What is declared ranks before a default. */
function rankOf(row: Row): number {
  if (row.isExcluded || isPlainReader(row)) return row.isExcluded ? 9 : 8
  const at = kinds.findIndex(([, , isIt]) => isIt(row))
  return (at < 0 ? 7 : at) - (row.declared?.length ?? 0) / 10
}

/** Those of a server or account, and of a kind, that contain all words of a text. */
export function matching(
  rows: readonly Row[],
  { server, kind, q = '' }: { server?: string; kind?: string; q?: string },
): Row[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const isOfKind = kinds.find(([name]) => name === kind)?.[2] ?? (() => true)
  return rows.filter((row) => {
    const text = [row.tool, ...row.units, ...row.reasons].join('\n').toLowerCase()
    const isOfServer = !server || row.server === server || row.units.includes(server)
    return isOfServer && isOfKind(row) && words.every((word) => text.includes(word))
  })
}
