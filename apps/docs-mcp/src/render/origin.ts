import type { Origin, PageSource } from '@pith-mcp/docs'

const names: Readonly<Record<PageSource, string>> = {
  negotiated: 'text/markdown',
  alternate: 'linked Markdown',
  variant: 'Markdown variant',
  html: 'HTML',
  file: 'file',
  pack: 'pack',
}

/** How the page was read, and where redirects led; for a stale copy also its date and the reason. */
export function originText({ source, fetchedAt, redirectedTo, stale }: Origin): string {
  const name = `${names[source]}${redirectedTo === undefined ? '' : `, redirected to ${plain(redirectedTo)}`}`
  if (stale === undefined) return name
  const since =
    fetchedAt === undefined ? '' : ` of ${new Date(fetchedAt).toISOString().slice(0, 16)}Z`
  return `${name}, cached copy${since}: ${plain(stale)}`
}

const plain = (text: string): string => text.replace(/[[\]\n]/g, ' ').slice(0, 200)
