import { cutReply } from '@pith-mcp/server-kit/tools'

/** Maximum characters of the text of a reply. */
export const maxText = 20_000

/** Maximum characters of a reply, with the lines around its text: clients reject longer ones. */
export const maxReply = 21_500

/** A safety net: the renderers keep replies below this length. */
export const limitReply = (text: string): string =>
  text.length <= maxReply ? text : cutReply(text, maxReply - 100, `${text.length} characters`)
