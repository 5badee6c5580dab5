import type { FoundFiles } from '@pith-mcp/code'
import { count, oneLine } from './next-call.ts'
import type { Reply } from './reply.ts'
import { treeNotes } from './tree-notes.ts'

export function renderFiles(found: FoundFiles, pattern: string): Reply {
  const { files, total } = found
  const notes = [
    ...(total > files.length
      ? [`[${count(total - files.length)} more; a longer pattern narrows it]`]
      : []),
    ...treeNotes(found, 'a longer pattern'),
  ]
  const text =
    files.length === 0
      ? [`No file is called ${JSON.stringify(pattern)}. Try a part of its name.`]
      : files.map(oneLine)
  return { text: [...text, ...notes].join('\n'), data: { total, files } }
}
