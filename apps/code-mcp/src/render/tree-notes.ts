import { count } from './next-call.ts'

interface Searched {
  isCut: boolean
  unreadable: number
}

/** What is said of folders that were not searched whole; `narrower` leads to the rest. */
export const treeNotes = ({ isCut, unreadable }: Searched, narrower: string): string[] => [
  ...(isCut
    ? [`[the tree was not searched whole, it has too many files; ${narrower} leads to the others]`]
    : []),
  ...(unreadable > 0
    ? [`[${count(unreadable)} ${unreadable === 1 ? 'folder' : 'folders'} could not be read]`]
    : []),
]
