import { lastAtMost, scaleTokens } from '@pith-mcp/paginator'

/** Tokens of the longest reply: 20,000 of code and the lines around it. Clients refuse 25,000. */
const replyCeiling = 22_500

/** A reply that no client refuses. None is longer but by names that nobody would choose. */
export function withinCeiling(text: string): string {
  if (text.length <= replyCeiling) return text
  const { positions, tokens } = scaleTokens(text)
  const total = tokens.at(-1) ?? 0
  if (total <= replyCeiling) return text
  const at = lastAtMost(tokens.length, (index) => tokens[index] as number, replyCeiling - 50)
  return `${text.slice(0, positions[at])}\n[cut: the reply had ${Math.round(total).toLocaleString('en-US')} tokens]`
}
