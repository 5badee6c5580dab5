import { LRUCache } from 'lru-cache'
import { type FolderWatch, watchFolders } from '#base/watch-folders'
import type { Roots } from '../access/roots.ts'
import type { SymbolIndex } from '../symbol-index/symbol-index.ts'
import { listSources } from './byte-search.ts'
import type { Scope } from './candidates.ts'
import { type FoundNames, findNames, listNames, type NamedFiles } from './find-files.ts'
import type { Listing } from './list-files.ts'

/** A listing, of which the index knows some files as they are now. */
export interface Divided extends Listing {
  indexed: ReadonlySet<string>
  /** The others, and those without symbols: they are searched as bytes. */
  pending: readonly string[]
  /** When it was made, and the milliseconds that it took. */
  at: number
  ms: number
  /** The last file that was indexed then. */
  last: number
}

type ListedScope = Omit<Scope, 'waitMs'>

/** The listing of a scope, and what tells that it is valid. */
interface Kept {
  watch: FolderWatch
  divided?: Divided
  /** It is being made again. */
  isOld?: boolean
}

/** Scopes whose listings are kept. */
const maxKept = 8
/** A listing that takes more milliseconds is not waited for again if its folders are not watched. */
const slowMs = 200
/** Listings of the files of some folders, which are kept until the folders change. */
export class KeptListings {
  readonly #roots: Roots
  readonly #index: SymbolIndex | undefined
  readonly #kept = new LRUCache<string, Kept>({
    max: maxKept,
    memoMethod: () => ({ watch: watchFolders(this.#roots.folders) }),
    dispose: ({ watch }) => watch.close(),
  })
  /** The names of all files. */
  readonly #named: { watch: FolderWatch; files?: NamedFiles }
  readonly #last = (): number => this.#index?.last ?? 0

  constructor(roots: Roots, index: SymbolIndex | undefined) {
    this.#roots = roots
    this.#index = index
    this.#named = { watch: watchFolders(roots.folders) }
  }

  /** Files whose names match a pattern. @throws {CodeError} for the pattern */
  async filesNamed(pattern: string, maxFiles: number | undefined): Promise<FoundNames> {
    const { watch } = this.#named
    if (!this.#named.files || !(await watch.isValid())) {
      watch.begin()
      this.#named.files = listNames(this.#roots, watch.add)
    }
    return findNames(this.#named.files, pattern, maxFiles)
  }

  #keptOf({ within, glob, maxFiles }: ListedScope): Kept {
    return this.#kept.memo(JSON.stringify([within, glob, maxFiles]))
  }

  /** Whether a listing may be of a former state; then it is made again. */
  refuse(scope: ListedScope): boolean {
    const { watch } = this.#keptOf(scope)
    if (!watch.isWatching()) watch.invalidate()
    return !watch.isWatching()
  }

  /** The files in a scope, listed again if some have changed; with `again`, looked at again. */
  async divide(scope: ListedScope, isStopped: () => boolean, again = false): Promise<Divided> {
    const kept = this.#keptOf(scope)
    const { watch, divided: former } = kept
    await this.#index?.refresh()
    const isValid = former !== undefined && (await watch.isValid())
    if (former && !again) {
      if (isValid && former.last === this.#last()) return former
      if (!isValid && !watch.isWatching() && former.ms > slowMs && !kept.isOld)
        return this.#listLater(scope, kept, former)
    }
    const from = performance.now()
    if (!isValid) {
      // If the listing fails, the one before must not pass for a new one.
      delete kept.divided
      watch.begin()
    }
    const listing = isValid ? former : listSources(this.#roots, scope, isStopped, watch.add)
    const divided = {
      ...listing,
      ...this.#divided(listing.files),
      at: isValid ? former.at : Date.now(),
      ms: isValid ? former.ms : performance.now() - from,
    }
    if (isStopped()) watch.invalidate()
    else Object.assign(kept, { divided, isOld: false })
    return divided
  }

  /** A listing that takes long is made after the reply, which says how old the one before is. */
  #listLater(scope: ListedScope, kept: Kept, former: Divided): Divided {
    kept.isOld = true
    // If it fails, the next search lists them, and says so.
    setImmediate(() => void this.divide(scope, () => false, true).then(undefined, () => {}))
    return { ...former, account: { ...former.account, listedAt: former.at } }
  }

  #divided(files: readonly string[]): Pick<Divided, 'indexed' | 'pending' | 'last'> {
    const indexed = new Set<string>()
    const pending: string[] = []
    for (const real of files) {
      const entry = this.#index?.fresh(real, this.#roots.nameOf(real))
      if (entry) indexed.add(real)
      if (!entry?.isParsed) pending.push(real)
    }
    return { indexed, pending, last: this.#last() }
  }
}
