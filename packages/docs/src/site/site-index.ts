import { stat } from 'node:fs/promises'
import type { Page } from '@pith-mcp/cleaner'
import { createSectionRanker, type Ranker } from '@pith-mcp/scorer'
import pLimit from 'p-limit'
import { pathOf, textOf } from '../answer/section-text.ts'
import type { Location } from '../location/parse-location.ts'

/** What is kept of a section to find it. */
export interface IndexedSection {
  url: string
  pageTitle: string
  id: string
  title: string
  /** The title where it counts: not again in what continues the section. */
  heading: string
  path: string[]
  text: string
}

/** What is kept of a page. */
export interface IndexedPage {
  url: string
  title: string
  headings: { id: string; title: string; level: number }[]
  sections: IndexedSection[]
}

export interface IndexProgress {
  done: number
  total: number
}

export interface SiteIndexOptions {
  /** The pages there are now; asked again before every search. */
  list: () => Promise<{ locations: Location[]; more: boolean }>
  read: (location: Location) => Promise<Page>
  /** Ends reading at once. */
  closed: AbortSignal
}

export interface SiteIndex {
  /** Read what is new or changed since the last time, and make it searchable. */
  refresh(options: {
    signal?: AbortSignal | undefined
    onProgress?: ((progress: IndexProgress) => void) | undefined
  }): Promise<IndexState>
}

export interface IndexState {
  ranker: Ranker<IndexedSection>
  pages: ReadonlyMap<string, IndexedPage>
  sections: number
  /** Pages that could not be read. */
  failed: number
  /** True if there are more pages than the index takes. */
  more: boolean
}

const pagesAtOnce = 4

/** Sections of many pages in memory. Files are read again when they change, web pages once. */
export function createSiteIndex({ list, read, closed }: SiteIndexOptions): SiteIndex {
  const entries = new Map<string, Entry>()
  let built: IndexState | undefined
  let running: Promise<IndexState> | undefined

  return {
    refresh({ signal, onProgress }) {
      running ??= update(onProgress).finally(() => {
        running = undefined
      })
      return signal ? abortable(running, signal) : running
    },
  }

  async function update(onProgress?: (progress: IndexProgress) => void): Promise<IndexState> {
    const { locations, more } = await list()
    const stamped = await Promise.all(
      locations.map(async (location) => ({
        location,
        key: keyOf(location),
        stamp: await stampOf(location),
      })),
    )
    const wanted = new Set(stamped.map(({ key }) => key))
    const gone = [...entries.keys()].filter((key) => !wanted.has(key))
    for (const key of gone) entries.delete(key)
    const stale = stamped.filter(({ key, stamp }) => isStale(entries.get(key), stamp))
    if (built && stale.length === 0 && gone.length === 0) return built
    const limit = pLimit(pagesAtOnce)
    let done = 0
    await Promise.all(
      stale.map(({ location, key, stamp }) =>
        limit(async () => {
          if (closed.aborted) return
          const page = await read(location).then(indexedPage, () => undefined)
          entries.set(key, { stamp, page, readAt: Date.now() })
          onProgress?.({ done: ++done, total: stale.length })
          // Cleaning a page is work for the processor; let the server answer in between.
          await new Promise((resolve) => setImmediate(resolve))
        }),
      ),
    )
    built = stateOf(
      stamped.map(({ key }) => entries.get(key)?.page),
      more,
    )
    return built
  }
}

interface Entry {
  stamp: string
  /** Undefined for a page that could not be read. */
  page: IndexedPage | undefined
  readAt: number
}

/** A page that failed is tried again, but not at every search. */
const retryMs = 5 * 60_000

function isStale(entry: Entry | undefined, stamp: string): boolean {
  if (!entry || entry.stamp !== stamp) return true
  return entry.page === undefined && Date.now() - entry.readAt > retryMs
}

function stateOf(read: readonly (IndexedPage | undefined)[], more: boolean): IndexState {
  const pages = new Map(read.flatMap((page) => (page ? [[page.url, page] as const] : [])))
  const sections = [...pages.values()].flatMap((page) => page.sections)
  return {
    ranker: createSectionRanker(sections, {
      heading: (section) => section.heading,
      text: (section) => section.text,
      id: (section) => section.id,
      path: (section) => [section.pageTitle, ...section.path].join(' '),
      page: (section) => section.url,
    }),
    pages,
    sections: sections.length,
    failed: read.filter((page) => page === undefined).length,
    more,
  }
}

function indexedPage(page: Page): IndexedPage {
  const byId = new Map(page.sections.map((section) => [section.id, section]))
  const headings = page.sections.filter(
    (section) => section.kind === undefined && section.level > 0,
  )
  return {
    url: page.url,
    title: page.title,
    headings: headings.map(({ id, title, level }) => ({ id, title, level })),
    sections: page.sections.map((section) => {
      const continued = section.kind === 'continuation' && byId.get(section.parent ?? '')
      const { id, title } = continued || section
      return {
        url: page.url,
        pageTitle: page.title,
        id,
        title,
        heading: section.title,
        path: pathOf(continued || section, byId),
        text: textOf(section.blocks),
      }
    }),
  }
}

const keyOf = (location: Location): string =>
  location.kind === 'web' ? location.url : location.path

async function stampOf(location: Location): Promise<string> {
  if (location.kind === 'web') return ''
  const stats = await stat(location.path).catch(() => undefined)
  return stats ? `${stats.mtimeMs}:${stats.size}` : 'gone'
}

/** Give up waiting, not the work: the next search finds it done. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
