import { CodeError } from '../code-error.ts'
import type { SourceFiles } from '../outline/source-files.ts'

export interface ChunkId {
  path: string
  /** Name of a symbol; absent for a whole file. */
  name?: string
  pageToken?: string
}

/** At most this many `#` of an id are tried as the end of its path. */
const maxMarks = 8

/**
 * Split an id. Paths and names may also contain `#`, and paths `@`, so the longest prefix that is a
 * file is its path.
 */
export async function readId(id: string, files: SourceFiles): Promise<ChunkId> {
  if (await isFile(id, files)) return { path: id }
  const [, plain = id, pageToken] = /^([\s\S]*)@(\d{1,15}\.[\da-z]{6})$/i.exec(id) ?? []
  const rest = pageToken === undefined ? {} : { pageToken }
  if (await isFile(plain, files)) return { path: plain, ...rest }
  const marks = [...plain.matchAll(/#/g)].map(({ index }) => index).slice(-maxMarks)
  for (const mark of marks.reverse()) {
    const path = plain.slice(0, mark)
    if (await isFile(path, files)) return { path, name: plain.slice(mark + 1), ...rest }
  }
  // No prefix is a file: the error is that of the shortest path.
  const mark = plain.indexOf('#')
  return {
    path: mark < 0 ? plain : plain.slice(0, mark),
    ...(mark >= 0 && { name: plain.slice(mark + 1) }),
    ...rest,
  }
}

/** Other errors than `not_found` are thrown when the file is read. */
const isFile = (path: string, files: SourceFiles): Promise<boolean> =>
  files
    .has(path)
    .catch((error: unknown) => !(error instanceof CodeError && error.code === 'not_found'))
