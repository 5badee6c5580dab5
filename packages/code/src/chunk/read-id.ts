import { CodeError } from '../code-error.ts'
import type { SourceFiles } from '../outline/source-files.ts'

export interface ChunkId {
  path: string
  /** Of a symbol; absent for a whole file. */
  name?: string
  pageToken?: string
}

/** Marks in an id that are tried for where its path ends. */
const mostMarks = 8

/**
 * What an id names: paths and names may have a `#` too, and paths an `@`, so the longest path that
 * is a file counts.
 */
export async function readId(id: string, files: SourceFiles): Promise<ChunkId> {
  if (await isFile(id, files)) return { path: id }
  const [, plain = id, pageToken] = /^([\s\S]*)@(\d{1,15}\.[\da-z]{6})$/i.exec(id) ?? []
  const rest = pageToken === undefined ? {} : { pageToken }
  if (await isFile(plain, files)) return { path: plain, ...rest }
  const marks = [...plain.matchAll(/#/g)].map(({ index }) => index).slice(-mostMarks)
  for (const mark of marks.reverse()) {
    const path = plain.slice(0, mark)
    if (await isFile(path, files)) return { path, name: plain.slice(mark + 1), ...rest }
  }
  // None is: the error is that of the path as it would be read.
  const mark = plain.indexOf('#')
  return {
    path: mark < 0 ? plain : plain.slice(0, mark),
    ...(mark >= 0 && { name: plain.slice(mark + 1) }),
    ...rest,
  }
}

/** Other errors than that there is none come when it is read. */
const isFile = (path: string, files: SourceFiles): Promise<boolean> =>
  files
    .has(path)
    .catch((error: unknown) => !(error instanceof CodeError && error.code === 'not_found'))
