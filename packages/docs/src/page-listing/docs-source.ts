import type { LibrarySource } from '#installed/library-source'

/**
 * Where pages come from: a folder, file or pack on disk, an installed library or a repository, or a
 * page, site or sitemap on the web.
 */
export type DocsSource =
  | LibrarySource
  | ({ name: string } & (
      | { kind: 'folder' | 'file'; path: string }
      | { kind: 'pack'; path: string }
      | { kind: 'site'; url: string }
    ))

/** One library has few pages, of which that of its declarations, in no file, has most names. */
export const isOneLibrary = (source: DocsSource): boolean =>
  source.kind === 'library' && source.isOne
