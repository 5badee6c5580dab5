import { lastAtMost, scaleTokens } from '@pith-mcp/paginator'
import { count, cutReply } from '@pith-mcp/server-kit/tools'

/**
 * Tokens of the longest reply: 20,000 of code and the lines around it. Clients reject replies of
 * 25,000.
 */
const maxReply = 22_500

/** A safety net for replies with extremely long names. */
export function limitReply(text: string): string {
  if (text.length <= maxReply) return text
  const { positions, tokens } = scaleTokens(text)
  const total = tokens.at(-1) ?? 0
  if (total <= maxReply) return text
  const at = lastAtMost(tokens.length, (index) => tokens[index] as number, maxReply - 50)
  return cutReply(text, positions[at] as number, `${count(Math.round(total))} tokens`)
}
