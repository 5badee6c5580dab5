import type { Origin, Rung } from '@pith-mcp/docs'

const names: Readonly<Record<Rung, string>> = {
  negotiated: 'text/markdown',
  alternate: 'linked Markdown',
  twin: '.md twin',
  html: 'HTML',
  file: 'file',
  pack: 'pack',
}

/** How the page was had; and, of a copy that may be out of date, since when and why. */
export function originText({ rung, fetchedAt, stale }: Origin): string {
  const name = names[rung]
  if (stale === undefined) return name
  const since =
    fetchedAt === undefined ? '' : ` of ${new Date(fetchedAt).toISOString().slice(0, 16)}Z`
  return `${name}, kept copy${since}: ${stale.replace(/[[\]\n]/g, ' ').slice(0, 200)}`
}
