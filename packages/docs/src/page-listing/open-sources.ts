import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isArchive, unpack } from '../archive/unpack.ts'
import { DocsError } from '../common/docs-error.ts'
import { parseLocation } from '../common/parse-location.ts'
import { quoteValue } from '../common/quote-value.ts'
import { type Access, hostKey, type Network } from '../fetch/access.ts'
import { type DocsSource, fileKey, isPack } from './docs-source.ts'

export interface OpenOptions {
  networks: readonly Network[]
  only: readonly string[]
  /** Where archives are unpacked. */
  unpackInto: string
  /** Addresses that belong to the site of a source, and are named with it. */
  addressesAt: (url: string) => readonly URL[]
}

/**
 * Check the sources an operator named. Naming one opens it: files below a folder, and a host even
 * on a private network.
 *
 * @throws {DocsError} for a path that does not exist or a URL that is none.
 */
export async function openSources(
  names: readonly string[],
  { networks, only, unpackInto, addressesAt }: OpenOptions,
): Promise<{ sources: DocsSource[]; access: Access }> {
  const sources = await Promise.all(names.map((name) => openSource(name, unpackInto)))
  const hosts = sources.flatMap((source) =>
    source.kind === 'site' ? [new URL(source.url), ...addressesAt(source.url)] : [],
  )
  return {
    sources,
    access: {
      namedHosts: new Set(hosts.map((url) => hostKey(url.hostname, url.port, url.protocol))),
      roots: sources.flatMap((source) =>
        source.kind === 'folder' || source.kind === 'file' ? [source.path] : [],
      ),
      networks,
      only,
    },
  }
}

async function openSource(name: string, unpackInto: string): Promise<DocsSource> {
  const location = parseLocation(name)
  if (location.kind === 'web') return { kind: 'site', name: location.url, url: location.url }
  const path = await realpath(location.path).catch((cause) => {
    throw new DocsError(
      'not_found',
      `There is no file or folder ${quoteValue(location.path)}.`,
      'Pass a folder of pages, a page, an archive, a pack, or an http(s) URL.',
      cause,
    )
  })
  if ((await stat(path)).isDirectory()) return { kind: 'folder', name, path }
  if (isPack(path)) return { kind: 'pack', name, path }
  if (!isArchive(path)) return { kind: 'file', name, path }
  const folder = await unpack(path, join(unpackInto, fileKey(path)))
  return { kind: 'folder', name, path: await realpath(folder) }
}
