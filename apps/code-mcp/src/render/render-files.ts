import type { FoundFiles } from '@pith-mcp/code'
import { count, type Reply } from '@pith-mcp/server-kit/tools'
import { oneLine } from './next-call.ts'
import { treeNotes } from './tree-notes.ts'

export function renderFiles(found: FoundFiles, pattern: string): Reply {
  const { files, total } = found
  const notes = [
    ...(total > files.length
      ? [`[${count(total - files.length)} more; use a longer pattern to narrow the result]`]
      : []),
    ...treeNotes(found, 'a longer pattern'),
  ]
  const text =
    files.length === 0
      ? [`No file matches ${JSON.stringify(pattern)}. Pass a part of its name.`]
      : files.map(oneLine)
  return { text: [...text, ...notes].join('\n'), data: { total, files } }
}
