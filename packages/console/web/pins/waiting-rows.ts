import type { Schemas } from '../api/schemas.ts'

type Tool = Schemas['WaitingTool']

/** A definition that waits for approval, at a server or at several of its accounts. */
export interface Row extends Tool {
  key: string
  server: string
  units: string[]
  rank: number
}

/** Its name, its tone, whether a tool is of it, and the hint that it follows from. */
type Kind = readonly [
  name: string,
  tone: 'ok' | 'warn' | 'bad' | 'info' | 'still',
  isIt: (tool: Tool) => boolean,
  hint?: NonNullable<Tool['declared']>[number],
]

/** What rows can be filtered by, the riskiest first. */
export const kinds: readonly Kind[] = [
  ['findings', 'bad', (tool) => tool.hasFindings],
  ['changed', 'warn', (tool) => tool.isChanged],
  ['destructive', 'bad', (tool) => tool.isDestructive, 'destructiveHint'],
  ['open world', 'info', (tool) => tool.isOpenWorld, 'openWorldHint'],
  ['pinned in another account', 'ok', (tool) => tool.isPinnedElsewhere],
  ['read-only', 'still', (tool) => tool.isReadOnly],
  ['excluded by rules', 'still', (tool) => tool.isExcluded],
]

/** What a tool declares must not excuse what it is suspected of. */
export const isPlainReader = (tool: Tool): boolean =>
  tool.isReadOnly && !tool.isChanged && !tool.hasFindings

/** The riskiest first. Accounts that would replace the same by the same share a row. */
export function rowsOf(servers: readonly Schemas['PinnedServer'][]): Row[] {
  const rows = new Map<string, Row>()
  for (const { server: unit, waiting: tools } of servers)
    for (const tool of tools) {
      const [server = unit] = unit.split('@')
      const { hash, pinnedHash, isChanged, hasFindings } = tool
      const key = JSON.stringify([server, tool.tool, hash, pinnedHash, isChanged, hasFindings])
      const row = rows.get(key) ?? { ...tool, key, server, units: [], rank: rankOf(tool) }
      row.units.push(unit)
      row.reasons = [...new Set([...row.reasons, ...tool.reasons])]
      row.isPinnedElsewhere ||= tool.isPinnedElsewhere
      rows.set(key, row)
    }
  const inOrder = (a: Row, b: Row) =>
    a.rank - b.rank || a.server.localeCompare(b.server) || a.tool.localeCompare(b.tool)
  return [...rows.values()].sort(inOrder)
}

/** What is declared ranks before a default. */
function rankOf(tool: Tool): number {
  if (tool.isExcluded || isPlainReader(tool)) return tool.isExcluded ? 9 : 8
  const at = kinds.findIndex(([, , isIt]) => isIt(tool))
  return (at < 0 ? 7 : at) - (tool.declared?.length ?? 0) / 10
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
