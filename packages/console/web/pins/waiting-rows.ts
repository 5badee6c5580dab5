import type { Schemas } from '../api/answer-of.ts'
import type { Tone } from '../ui/plain-text.tsx'

/** A definition that waits for approval, at a server or at several of its accounts. */
export interface Row extends Omit<Schemas['WaitingTool'], 'reasons'> {
  key: string
  server: string
  units: string[]
  reasons: string[]
}

/** The riskiest first. Accounts that would replace the same by the same share a row. */
export function rowsOf(servers: readonly Schemas['PinnedServer'][]): Row[] {
  const rows = new Map<string, Row>()
  for (const { server: unit, waiting } of servers)
    for (const tool of waiting) {
      const [server = unit] = unit.split('@')
      const { hash, pinnedHash, isChanged, hasFindings } = tool
      const key = JSON.stringify([server, tool.tool, hash, pinnedHash, isChanged, hasFindings])
      const row = rows.get(key) ?? { ...tool, key, server, units: [], reasons: [] }
      row.units.push(unit)
      row.reasons = [...new Set([...row.reasons, ...tool.reasons])]
      row.isPinnedElsewhere ||= tool.isPinnedElsewhere
      rows.set(key, row)
    }
  const weigh = (row: Row) => rankOf(row) - (row.declared?.length ?? 0) / 10
  return [...rows.values()].sort(
    (a, b) =>
      weigh(a) - weigh(b) || a.server.localeCompare(b.server) || a.tool.localeCompare(b.tool),
  )
}

function rankOf(row: Row): number {
  if (row.isExcluded) return 6
  const { hasFindings, isChanged, isDestructive, isOpenWorld, isReadOnly } = row
  const risks = [
    hasFindings,
    isChanged,
    isDestructive,
    isOpenWorld && !isReadOnly,
    !isReadOnly,
    true,
  ]
  return risks.indexOf(true)
}

/** The kinds to filter by, as values of the query parameter `kind`. */
export const kinds: readonly (readonly [string, string, (row: Row) => boolean])[] = [
  ['', 'All', () => true],
  ['findings', 'Findings of the check', (row) => row.hasFindings],
  ['changed', 'Changed', (row) => row.isChanged],
  ['destructive', 'Destructive', (row) => row.isDestructive],
  ['open-world', 'Open world', (row) => row.isOpenWorld],
  ['read-only', 'Read-only', (row) => row.isReadOnly],
  ['pinned-elsewhere', 'Pinned in another account', (row) => row.isPinnedElsewhere],
  ['excluded', 'Excluded by rules', (row) => row.isExcluded],
]

/** Those of a server or account, and of a kind, that contain all words of a text. */
export function matching(
  rows: readonly Row[],
  { server = '', kind = '', q = '' }: { server?: string; kind?: string; q?: string },
): Row[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const isOfKind = kinds.find(([name]) => name === kind)?.[2]
  return rows.filter((row) => {
    const text = [row.tool, ...row.units, ...row.reasons].join('\n').toLowerCase()
    const isOfServer = !server || row.server === server || row.units.includes(server)
    return isOfServer && isOfKind?.(row) !== false && words.every((word) => text.includes(word))
  })
}

/** What a tool declares must not excuse what it is suspected of. */
export const isPlainReader = (row: Row): boolean =>
  row.isReadOnly && !row.isChanged && !row.hasFindings

/** In words. What a tool does not declare is said to be a default of MCP. */
export function marksOf(row: Row): (readonly [Tone, string])[] {
  const { declared } = row
  const byHint = (hint: 'destructiveHint' | 'openWorldHint', word: string) =>
    declared?.includes(hint) ? word : `${word} by default`
  const isSilent = declared?.length === 0
  const marks: [boolean, Tone, string][] = [
    [row.hasFindings, 'bad', 'findings'],
    [row.isChanged, 'warn', 'changed'],
    [row.isDestructive && !isSilent, 'bad', byHint('destructiveHint', 'destructive')],
    [row.isOpenWorld && !isSilent, 'info', byHint('openWorldHint', 'open world')],
    [isSilent, 'still', 'declares nothing'],
    [row.isReadOnly, 'still', 'read-only'],
    [row.isPinnedElsewhere, 'ok', 'pinned elsewhere'],
    [row.isExcluded, 'still', 'excluded'],
  ]
  return marks.flatMap(([isSo, tone, word]) => (isSo ? [[tone, word] as const] : []))
}
