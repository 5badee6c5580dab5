import { findSymbols } from '../outline/find-symbols.ts'
import { ambiguous, noSuchSymbol } from '../outline/name-errors.ts'
import type { SourceFiles } from '../outline/source-files.ts'
import { checkLength, maxNameLength, maxPathLength } from '../text/check-length.ts'
import type { Chunk, ChunkOptions } from './chunk.ts'
import { type PageDefaults, readChunk } from './read-chunk.ts'
import { readId } from './read-id.ts'

/** What chunks are read from. */
export interface ChunkDeps {
  files: SourceFiles
  defaults: PageDefaults
}

/** A page of the symbol with a name. A whole id is accepted as the name. */
export async function functionChunk(
  { files, defaults }: ChunkDeps,
  path: string,
  given: string,
  options: ChunkOptions = {},
): Promise<Chunk> {
  checkLength('The path', path, maxPathLength)
  checkLength('The name', given, maxNameLength)
  const file = await files.get(path)
  const name = given.startsWith(`${file.path}#`) ? given.slice(file.path.length + 1) : given
  const candidates = findSymbols(name, file)
  const [symbol] = candidates
  if (!symbol) throw noSuchSymbol(name, file)
  if (candidates.length > 1) throw ambiguous(name, candidates, file)
  const others = file.symbols.filter(
    (other) => other !== symbol && other.name === symbol.name && !name.includes('/'),
  )
  return {
    ...readChunk(file, symbol, options, defaults),
    ...(others.length > 0 && { others: others.map((other) => other.path) }),
  }
}

/** A page of what an id names: a symbol, or a whole file. */
export async function chunkOf(
  deps: ChunkDeps,
  id: string,
  options: ChunkOptions = {},
): Promise<Chunk> {
  checkLength('The id', id, maxPathLength + maxNameLength)
  const { path, name, pageToken } = await readId(id, deps.files)
  const given = { ...options, pageToken: options.pageToken ?? pageToken }
  if (name !== undefined) return functionChunk(deps, path, name, given)
  return readChunk(await deps.files.get(path), undefined, given, deps.defaults)
}
