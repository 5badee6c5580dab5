import { safeName } from '../names/safe-name.ts'
import type { CatalogEntry } from './catalog-entry.ts'
import { beyondBounds } from './within-bounds.ts'

const mostNamed = 3

/** For the log: what of a server is not read, if there is such a thing. */
export function sayUnread({ unread = [], beyond = {} }: CatalogEntry): string | undefined {
  const named = unread
    .slice(0, mostNamed)
    .map(({ kind, name, why }) => `${kind} ${safeName(name)}: ${why}`)
  const rest = unread.length - named.length
  const counts = Object.entries(beyond).map(([kind, count]) => `${count} more of ${kind}`)
  const parts = [
    ...named,
    ...(rest > 0 ? [`${rest} like these`] : []),
    ...(counts.length > 0 ? [`${counts.join(', ')}: ${beyondBounds}`] : []),
  ]
  return parts.length === 0 ? undefined : `not read: ${parts.join('; ')}`
}
