/** Maximum characters of a reply: clients reject longer ones. */
const maxReply = 20_000

/** Maximum characters of page text in a reply; the rest is for its first and last lines. */
export const maxText = 19_000

/** A safety net: the renderers keep replies below this length. */
export function limitReply(text: string): string {
  if (text.length <= maxReply) return text
  return `${text.slice(0, maxReply - 100)}\n[cut: the reply had ${text.length} characters]`
}
