import type { CleanOptions } from '@pith-mcp/cleaner'
import type { EmbeddingModel } from '@pith-mcp/scorer'
import type { FetchLimits, HostHeaders } from '#fetch/http-client'
import type { ProxyOptions } from '#fetch/ssrf-guard'
import type { LibrariesOptions } from '#installed/libraries/open-libraries'
import type { SiteSettings } from '#sites/site-search/site-settings'
import type { Database } from './postgres/database.ts'
import * as questions from './questions/all-questions.ts'
import type { Deps } from './questions/deps.ts'

/** Sources, limits and caches; every member has a default. */
export interface DocsOptions {
  /**
   * Folders, files, archives, packs, pages, sites or sitemaps to search. A named source may also be
   * read.
   */
  sources?: readonly string[]
  /**
   * A project, whose installed dependencies are sources by name: `zod`, `django@5.2`. `describe` makes
   * a page of the declarations of one.
   */
  project?: Omit<LibrariesOptions, 'maxPages'> | undefined
  /**
   * Bounds of one request. Default: 20 s, 16 MB after decompression, 5 redirects, 2 retries, 6
   * concurrent requests to a host and 30 per second.
   */
  limits?: Partial<FetchLimits>
  /**
   * At most this many pages of one source are read in advance. Of a site, ten times as many are
   * listed, and read when a search needs them. Default 2,000.
   */
  maxPages?: number
  /**
   * At most this many characters of text in one answer, whatever the caller requests. Default
   * 20,000.
   */
  cap?: number
  /**
   * Folder for cached pages and indexes. Without it they are held in memory and end with the
   * process.
   */
  cacheFolder?: string | undefined
  /** At most this many bytes of compressed pages in `cacheFolder`. Default 512 MB. */
  maxCacheBytes?: number
  /**
   * PostgreSQL, in which processes on several machines share pages and the indexes of sites: one of
   * them reads a site, and all search it. Folders, files and packs are indexed in `cacheFolder`. While
   * it cannot be used, pages are read live, and a search of a site fails.
   */
  database?: Database | undefined
  /** No network: only packs, files and cached pages are read. */
  offline?: boolean
  proxy?: ProxyOptions
  /** Headers for requests to one host, such as a token for private documentation. */
  headers?: HostHeaders
  /** The address of GitHub's REST API, which reads repositories. Default `https://api.github.com`. */
  githubApi?: string | undefined
  /**
   * A file of cookies in the format of Netscape, for documentation behind a login. Each is sent to
   * its host, if that is one of a source or of `only`. Only its owner may read the file.
   */
  cookies?: string | undefined
  /** Networks that may be reached although they are not public: `10.1.0.0/16`. */
  networks?: readonly string[]
  /** If not empty, only pages of these hosts are read: `docs.example.org`, `*.example.org`. */
  only?: readonly string[]
  /**
   * Options for the search services of sites, by the name of the service, or by the URL of a source
   * together with the name as `service`.
   */
  sites?: SiteSettings
  /** Use the search services of sites. If false, only local indexes are searched. Default true. */
  siteSearch?: boolean
  /**
   * An endpoint with OpenAI's embeddings API, whose model ranks what the words have found. It gets
   * the beginnings of the sections found and each query. `weight` (0–1, default 0.1) is the share of
   * its score by which a section may be raised. Not used with `offline`.
   */
  embeddings?: EmbeddingModel | undefined
  /** How HTML is parsed: by our own parser (`fast`, default) or by parse5 alone, its reference. */
  parser?: CleanOptions['parser']
  /** `User-Agent` of requests. Default `pith-docs`. */
  userAgent?: string | undefined
  /** Milliseconds that a search waits for a listing, or for the pages of a folder. Default 20,000. */
  searchWaitMs?: number
  /** Called with messages for the operator, such as a damaged file that was rebuilt. */
  onNotice?: (text: string) => void
}

/** A question, without what it is answered from. */
type Answered<Question> = Question extends (deps: Deps, ...rest: infer Rest) => infer Answer
  ? (...rest: Rest) => Answer
  : never

/**
 * Reads and searches documentation.
 *
 * @throws {DocsError} from every method; `search` also rejects with the reason of its signal.
 */
export type Docs = { [Name in keyof typeof questions]: Answered<(typeof questions)[Name]> } & {
  /** Close connections and stop indexing. What was read so far is stored. */
  close(): Promise<void>
}

/** The questions, answered from `deps`. */
export const answersFrom = (deps: Deps): Omit<Docs, 'close'> =>
  Object.fromEntries(
    Object.entries(questions).map(([name, question]) => [
      name,
      (...rest: readonly unknown[]) =>
        (question as (deps: Deps, ...rest: readonly unknown[]) => unknown)(deps, ...rest),
    ]),
  ) as unknown as Omit<Docs, 'close'>
