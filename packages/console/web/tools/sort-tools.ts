import type { Schemas } from '../api/create-api.ts'

type Tool = Schemas['ToolSummary']

const order: Record<string, (a: Tool, b: Tool) => number> = {
  name: (a, b) => a.name.localeCompare(b.name),
  server: (a, b) => a.server.localeCompare(b.server) || a.name.localeCompare(b.name),
  tokens: (a, b) => a.tokens - b.tokens,
}

/** By a column; "-" before its name puts the largest first. */
export function sortTools(tools: readonly Tool[], sort: string): Tool[] {
  const isFalling = sort.startsWith('-')
  const compare = order[isFalling ? sort.slice(1) : sort] ?? order['name']
  const sorted = [...tools].sort(compare)
  return isFalling ? sorted.reverse() : sorted
}
