import type { FoundFiles, SearchResult } from '@pith-mcp/code'
import { amount, count, type Reply } from '@pith-mcp/server-kit/tools'
import { callText, oneLine } from './next-call.ts'

/** At most this many symbols in a reply. */
export const maxHits = 50

/** Symbols that a search found, two lines each. */
export function renderFound(found: SearchResult, query: string): Reply {
  const { hits, total, unread, unseen } = found
  const lines = hits.map(
    ({ id, kind, startLine, endLine, signature }) =>
      `${oneLine(id)} · ${kind} · ${startLine}–${endLine}\n    ${signature}`,
  )
  const [best] = hits
  const notes = [
    ...(unread > 0
      ? [
          `[${amount(unread, 'file')} not read in time; ${unseen > 0 ? '' : 'repeat the call to continue, or '}narrow it with \`path\`]`,
        ]
      : []),
    ...treeNotes(found, 'use `path`'),
    ...(best ? [`[next: ${callText({ tool: 'get_chunk', args: { chunk_id: best.id } })}]`] : []),
  ]
  const head =
    hits.length === 0
      ? `No function or class name contains a word of ${JSON.stringify(query)}.${unread > 0 ? '' : ' Use another word, or find_file.'}`
      : `${count(hits.length)} of ${count(total)} matches for ${JSON.stringify(query)}, best first${hits.length < total ? `; ${hits.length < maxHits ? 'raise max_results' : 'narrow it with `path`'} for others` : ''}`
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

/**
 * Notes on folders that were searched only in part; `narrower` says what reaches the rest.
 */
const treeNotes = (
  { isCut, unreadable }: Pick<FoundFiles, 'isCut' | 'unreadable'>,
  narrower: string,
): string[] => [
  ...(isCut
    ? [`[too many files: the folders were searched in part; ${narrower} to reach the others]`]
    : []),
  ...(unreadable > 0
    ? [`[${count(unreadable)} ${unreadable === 1 ? 'folder' : 'folders'} could not be read]`]
    : []),
]

export function renderFiles(found: FoundFiles, pattern: string): Reply {
  const { files, total } = found
  const notes = [
    ...(total > files.length
      ? [`[${count(total - files.length)} more; use a longer pattern to narrow the result]`]
      : []),
    ...treeNotes(found, 'try a longer pattern'),
  ]
  const text =
    files.length === 0
      ? [`No file matches ${JSON.stringify(pattern)}. Pass a part of its name.`]
      : files.map(oneLine)
  return { text: [...text, ...notes].join('\n'), data: { total, files } }
}
