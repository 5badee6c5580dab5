import { count } from '@pith-mcp/server-kit/tools'

interface Searched {
  isCut: boolean
  unreadable: number
}

/**
 * Notes on folders that were searched only in part; `narrower` names the parameter that reaches the
 * rest.
 */
export const treeNotes = ({ isCut, unreadable }: Searched, narrower: string): string[] => [
  ...(isCut
    ? [`[too many files: the folders were searched in part; use ${narrower} to reach the others]`]
    : []),
  ...(unreadable > 0
    ? [`[${count(unreadable)} ${unreadable === 1 ? 'folder' : 'folders'} could not be read]`]
    : []),
]
