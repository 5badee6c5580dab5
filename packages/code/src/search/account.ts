/** What a search has read, and what it left out, by reason. */
export interface Account {
  /** Files that were searched for words of the query, now or by an earlier call. */
  searched: number
  /** Files and folders that `.gitignore` files, the names of dependencies or of secrets exclude. */
  ignored: number
  /** Files and folders that could not be read. */
  unreadable: number
  /** Files with words of the query that have no symbols, by reason. */
  unparsed: readonly Unparsed[]
  /** Files that were not read in time. The next search continues with them. */
  unread: number
  /** Folders that are nested too deep. */
  tooDeep: number
  /** When the folders were listed, in milliseconds since 1970, if a listing in the past was used. */
  listedAt?: number
  /** True if there are too many files to search all of them. */
  isCut: boolean
}

/** Files with words of the query whose symbols are not known, by the reason. */
export interface Unparsed {
  /** To follow a colon. */
  reason: string
  files: number
  /** One of the files. */
  example: string
}

/** An account of a search that has not begun. */
export const emptyAccount = (): Account => ({
  searched: 0,
  ignored: 0,
  unreadable: 0,
  unparsed: [],
  unread: 0,
  tooDeep: 0,
  isCut: false,
})

/** With one more file that was not parsed. */
export function addUnparsed(
  all: readonly Unparsed[],
  reason: string,
  example: string,
): readonly Unparsed[] {
  const same = all.find((entry) => entry.reason === reason)
  return same
    ? all.map((entry) => (entry === same ? { ...entry, files: entry.files + 1 } : entry))
    : [...all, { reason, files: 1, example }]
}
