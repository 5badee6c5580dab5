import type { Schemas } from '../api/schemas.ts'
import { sortedBy } from '../text/sorted-by.ts'

type Tool = Schemas['ToolSummary']

interface Selection {
  /** Words, all of which must occur. */
  text: string
  /** A name; empty for all servers. */
  server: string
  /** A column; "-" before its name means descending. */
  sort: string
}

/** The tools of a server that contain a text, sorted by a column. */
export function selectTools(tools: readonly Tool[], { text, server, sort }: Selection): Tool[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = tools.filter((tool) => {
    if (server && tool.server !== server) return false
    const own = `${tool.server} ${tool.name} ${tool.title ?? ''} ${tool.summary}`.toLowerCase()
    return words.every((word) => own.includes(word))
  })
  return sortedBy(matching, sort, order)
}

const order: Record<string, (a: Tool, b: Tool) => number> = {
  name: (a, b) => a.name.localeCompare(b.name),
  server: (a, b) => a.server.localeCompare(b.server) || a.name.localeCompare(b.name),
  tokens: (a, b) => a.tokens - b.tokens,
}
