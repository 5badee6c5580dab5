import { cutReply } from '@pith-mcp/server-kit/tools'

/** Maximum characters of a reply: clients reject longer ones. */
const maxReply = 20_000

/** Maximum characters of page text in a reply; the rest is for its first and last lines. */
export const maxText = 19_000

/** A safety net: the renderers keep replies below this length. */
export const limitReply = (text: string): string =>
  text.length <= maxReply ? text : cutReply(text, maxReply - 100, `${text.length} characters`)
