import type { Page } from '@pith-mcp/cleaner'

/** Words of a page that scripts draw, such as “Loading” and the name of the site. */
const maxWords = 3

/** True for a page without text, also if it shows some words until its scripts have run. */
export function isShell({ sections, health }: Page): boolean {
  if (sections.length === 0) return true
  if (!health.suspectedShell) return false
  const texts = sections.flatMap(({ title, level, blocks }) => [
    level > 0 ? title : '',
    ...blocks.map(({ markdown }) => markdown),
  ])
  return (texts.join(' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0) <= maxWords
}
