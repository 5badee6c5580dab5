import type { Roots } from '../access/roots.ts'
import { CodeError } from '../code-error.ts'
import type { SourceFile } from '../outline/source-file.ts'
import type { SourceFiles } from '../outline/source-files.ts'
import type { Account } from '../search/account.ts'
import type { Scope } from '../search/candidates.ts'
import type { SearchThread } from '../search/search-thread.ts'
import { hitOf, type SymbolHit } from '../search/symbol-hit.ts'
import { type FileUses, isTest, type Matching, matchingOf, usesIn } from './uses.ts'

/** Uses of a name: those of one page of the files that have it. */
export interface References {
  name: string
  /** Best first. */
  definitions: readonly SymbolHit[]
  /** `import`: of the definition that a file imports; `name`: of anything with the name. */
  matching: Matching
  /** Files with uses, those of tests last. */
  files: readonly FileUses[]
  /** Place among the files with the name at which this page begins, and the next one, if any. */
  from: number
  next?: number
  /** Number of files with the name. */
  total: number
  account: Account
}

export interface ReferenceOptions {
  /** Place of the first file. */
  from?: number | undefined
  signal?: AbortSignal | undefined
}

/** Symbols with uses after which a page ends, and files. */
const maxSymbols = 80
const maxFiles = 400
/** Files that are read at once. */
const readAhead = 16

/** Finds the definitions of a name and what uses it. */
export async function referencesTo(
  { roots, files, thread }: { roots: Roots; files: SourceFiles; thread: SearchThread },
  query: string,
  scope: Scope,
  { from = 0, signal }: ReferenceOptions,
): Promise<References> {
  const { name, holder } = readName(query)
  const mentions = await thread.mentions(name, scope, signal)
  const paths = mentions.files.map((real) => ({ real, path: roots.nameOf(real) }))
  const { definers } = mentions
  const rank = ({ real, path }: { real: string; path: string }): number =>
    isTest(path) ? 2 : definers.includes(real) ? 0 : 1
  paths.sort((a, b) => rank(a) - rank(b))
  const read = async (real: string): Promise<SourceFile | undefined> => {
    const known = await thread.symbolsOf(real)
    return (known ? files.outlined(real, known) : files.get(real)).catch((error: unknown) => {
      if (error instanceof CodeError) return undefined
      throw error
    })
  }
  const defining = await Promise.all(definers.slice(0, maxFiles).map(read))
  const definitions = defining.flatMap((file) => (file ? definitionsIn(file, name, holder) : []))
  const [first] = defining
  const matching = holder === undefined ? matchingOf(definitions, first?.language?.name) : 'name'
  const uses: FileUses[] = []
  let symbols = 0
  let at = from
  while (at < paths.length && symbols < maxSymbols && at - from < maxFiles) {
    signal?.throwIfAborted()
    const some = paths.slice(at, at + readAhead)
    at += some.length
    for (const file of await Promise.all(some.map(({ real }) => read(real)))) {
      const used = file && usesIn(file, name, matching)
      if (!used) continue
      uses.push(used)
      symbols += used.usedIn.length
    }
  }
  return {
    name,
    definitions,
    matching,
    files: uses,
    from,
    ...(at < paths.length && { next: at }),
    total: paths.length,
    account: mentions.account,
  }
}

/** The last name of a name path or id, and the one before it. */
function readName(query: string): { name: string; holder?: string } {
  const plain = query
    .trim()
    .replace(/^.*#/, '')
    .replace(/\(.*$/s, '')
    .replace(/\[\d+\]$/, '')
  const parts = plain.split(/::|[./]|->/).filter(Boolean)
  const name = parts.at(-1) ?? plain
  const holder = parts.at(-2)
  return { name, ...(holder !== undefined && { holder }) }
}

function definitionsIn(file: SourceFile, name: string, holder: string | undefined): SymbolHit[] {
  return file.symbols
    .filter(
      (symbol) =>
        symbol.name === name && (holder === undefined || symbol.bare.endsWith(`${holder}/${name}`)),
    )
    .map((symbol) => hitOf(file, symbol))
}
