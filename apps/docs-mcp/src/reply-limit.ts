import { cutReply } from '@pith-mcp/server-kit/tools'

/** Maximum characters of a reply: clients reject longer ones. */
export const maxReply = 20_000

/** Maximum characters of a text that is not fitted; the rest is for the other lines of its reply. */
export const maxText = 19_000

/** A safety net: the renderers keep replies below this length. */
export const limitReply = (text: string): string =>
  text.length <= maxReply ? text : cutReply(text, maxReply - 100, `${text.length} characters`)
