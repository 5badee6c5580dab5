import type { SearchResult } from '@pith-mcp/code'
import { callText, count, oneLine } from './next-call.ts'
import type { Reply } from './reply.ts'
import { treeNotes } from './tree-notes.ts'

/** Symbols that a search found, two lines for each. */
export function renderFound(found: SearchResult, query: string): Reply {
  const { hits, total, unread } = found
  const lines = hits.map(
    ({ id, kind, startLine, endLine, signature }) =>
      `${oneLine(id)} · ${kind} · ${startLine}–${endLine}\n    ${signature}`,
  )
  const [best] = hits
  const notes = [
    ...(unread > 0
      ? [`[${count(unread)} files were not read in time; the same call reads on, path narrows it]`]
      : []),
    ...treeNotes(found, 'path'),
    ...(best ? [`[next: ${callText({ tool: 'get_chunk', args: { chunk_id: best.id } })}]`] : []),
  ]
  const head =
    hits.length === 0
      ? `No name has words of ${JSON.stringify(query)}.${unread > 0 ? '' : ' Try another word, or find_file.'}`
      : `${count(hits.length)} of ${count(total)} with words of ${JSON.stringify(query)}, best first`
  return {
    text: [head, ...lines, ...notes].join('\n'),
    data: {
      found: total,
      shown: hits.length,
      unread,
      not_whole: found.isCut,
      unreadable_folders: found.unreadable,
      hits,
    },
  }
}
