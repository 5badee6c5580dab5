// Source files that nobody here wrote, as fetch.mjs lays them out.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { corpusFolder } from '../corpus/corpus.mjs'

/** The root that is served; paths in it are `python/…`, `sqlite/sqlite3.c`, `typescript/typescript.js`. */
export const codeFolder = join(corpusFolder, 'code')

export const corpora = [
  { name: 'CPython, *.c', language: 'c', files: () => filesIn('python', '.c') },
  { name: 'sqlite3.c', language: 'c', files: () => ['sqlite/sqlite3.c'] },
  { name: 'CPython, Lib', language: 'python', files: () => filesIn('python/Lib', '.py') },
  { name: 'typescript.js', language: 'javascript', files: () => ['typescript/typescript.js'] },
].map((corpus) => ({ ...corpus, files: () => fetched(corpus.files()) }))

/** The files of a folder that end so, as paths from the root, in their order. */
function filesIn(folder, ending) {
  const top = join(codeFolder, folder)
  if (!existsSync(top)) return [folder]
  return readdirSync(top, { recursive: true })
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => `${folder}/${file}`)
}

function fetched(files) {
  const missing = files.find((file) => !existsSync(join(codeFolder, file)))
  if (missing === undefined && files.length > 0) return files
  throw new Error(`${missing ?? 'The corpus'} is not here: node fetch.mjs`)
}
