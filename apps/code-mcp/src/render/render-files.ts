import type { FoundFiles } from '@pith-mcp/code'
import type { Reply } from '../tools/tool.ts'
import { count, oneLine } from './next-call.ts'

export function renderFiles({ files, total, isCut }: FoundFiles, pattern: string): Reply {
  const notes = [
    ...(total > files.length
      ? [`[${count(total - files.length)} more; a longer pattern narrows it]`]
      : []),
    ...(isCut ? ['[not all files were looked at, there are too many]'] : []),
  ]
  const text =
    files.length === 0
      ? [`No file is called ${JSON.stringify(pattern)}. Try a part of its name.`]
      : files.map(oneLine)
  return { text: [...text, ...notes].join('\n'), data: { total, files } }
}
