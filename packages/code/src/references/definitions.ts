import { dirname } from 'node:path'
import type { SourceFile } from '../outline/source-file.ts'
import { asideOf, hitOf, type SymbolHit } from '../search/symbol-hit.ts'
import type { Place } from './read-places.ts'

/** The last name of a name path, the one before it, and the file of an id. */
export type NamePath = { name: string; holder?: string; file?: string }

export function readName(query: string): NamePath {
  const [, file, path = ''] = /^(?:(.*)#)?(.*)$/s.exec(query.trim()) ?? []
  const parts = path
    .replace(/\(.*$/s, '')
    .replace(/\[\d+\]$/, '')
    .split(/::|[./]|->/)
    .filter(Boolean)
  const [holder, name = path] = parts.length > 1 ? parts.slice(-2) : [undefined, parts[0]]
  return { name, ...(holder !== undefined && { holder }), ...(file !== undefined && { file }) }
}

export const definitionsIn = (file: SourceFile, wanted: string): SymbolHit[] =>
  [...file.symbols, ...file.values]
    .filter(({ name }) => name === wanted)
    .map((symbol) => hitOf(file, symbol))

/** The definitions that are meant, best first, and all of the name. A constructor is only that of a class. */
export function findDefinitions(
  files: readonly SourceFile[],
  { name, holder, file }: NamePath,
): { definitions: SymbolHit[]; namesakes: SymbolHit[] } {
  const named = files.flatMap((source) => definitionsIn(source, name))
  const isOnlyConstructors = named.every(({ kind }) => kind === 'constructor')
  const namesakes = named
    .filter(({ kind }) => kind !== 'constructor' || isOnlyConstructors)
    .sort((a, b) => asideOf(a) - asideOf(b))
  const held =
    holder === undefined ? namesakes : namesakes.filter((hit) => holderOf(hit) === holder)
  const ofFile = file === undefined ? [] : held.filter((hit) => hit.file === file)
  return { definitions: ofFile.length > 0 ? ofFile : held, namesakes }
}

/** The name before the last one of a name path; empty without one. */
export const holderOf = ({ path }: SymbolHit): string =>
  path
    .replace(/\[\d+\]$/, '')
    .split('/')
    .at(-2) ?? ''

/** A name of Go in lower case is that of its folder. */
export function inPackage(
  name: string,
  definitions: readonly SymbolHit[],
  places: Place[],
): Place[] {
  const isOfFolder =
    definitions.length > 0 &&
    /^\p{Ll}/u.test(name) &&
    definitions.every(({ file }) => file.endsWith('.go'))
  if (!isOfFolder) return places
  const folders = new Set(definitions.map(({ file }) => dirname(file)))
  return places.filter(({ path }) => folders.has(dirname(path)))
}
