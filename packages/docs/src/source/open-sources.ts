import { realpath, stat } from 'node:fs/promises'
import { type Access, hostKey } from '../access/access.ts'
import { DocsError } from '../docs-error.ts'
import { parseLocation } from '../location/parse-location.ts'
import { quoteValue } from '../quote-value.ts'

/** Where pages come from: a folder or file on disk, or a page, site or sitemap on the web. */
export type DocsSource =
  | { kind: 'folder'; path: string }
  | { kind: 'file'; path: string }
  | { kind: 'site'; url: string }

/**
 * Check the sources an operator named. Naming one opens it: files below a folder, and a host even
 * on a private network.
 *
 * @throws {DocsError} for a path that does not exist or a URL that is none.
 */
export async function openSources(
  names: readonly string[],
): Promise<{ sources: DocsSource[]; access: Access }> {
  const sources = await Promise.all(names.map(openSource))
  const hosts = sources.flatMap((source) => (source.kind === 'site' ? [new URL(source.url)] : []))
  return {
    sources,
    access: {
      namedHosts: new Set(hosts.map((url) => hostKey(url.hostname, url.port, url.protocol))),
      roots: sources.flatMap((source) => (source.kind === 'site' ? [] : [source.path])),
    },
  }
}

async function openSource(name: string): Promise<DocsSource> {
  const location = parseLocation(name)
  if (location.kind === 'web') return { kind: 'site', url: location.url }
  const path = await realpath(location.path).catch((cause) => {
    throw new DocsError(
      'not_found',
      `There is no file or folder ${quoteValue(location.path)}.`,
      'Pass a folder of pages, a page, or an http(s) URL.',
      cause,
    )
  })
  return { kind: (await stat(path)).isDirectory() ? 'folder' : 'file', path }
}
