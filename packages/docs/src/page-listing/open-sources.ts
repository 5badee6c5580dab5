import { realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Access, hostKey, type Network } from '#fetch/access'
import { isArchive, unpack } from '#fetch/archive/unpack'
import { fileKey } from '#fetch/file/file-key'
import { parseLocation } from '#fetch/protocol/parse-location'
import { DocsError, quoteValue } from '#formats/docs-error'
import type { DocsSource } from './docs-source.ts'

export interface OpenOptions {
  networks: readonly Network[]
  only: readonly string[]
  /** Folder in which archives are unpacked. */
  unpackInto: string
  /** Hosts of the site's search or of archives, which are allowed together with the source. */
  addressesAt: (url: string) => readonly URL[]
  /** The source of a repository at a URL. */
  repositoryAt: (url: string) => DocsSource | undefined
}

/**
 * Check the sources that the operator configured. A source is also allowed: files below its folder,
 * or its host, even on a private network.
 *
 * @throws {DocsError} for a path that does not exist or an invalid URL.
 */
export async function openSources(
  names: readonly string[],
  { networks, only, addressesAt, ...options }: OpenOptions,
): Promise<{ sources: DocsSource[]; access: Access }> {
  const sources = await Promise.all(names.map((name) => openSource(name, options)))
  const sites = sources.flatMap((source) => (source.kind === 'site' ? [source.url] : []))
  const repositories = sources.flatMap(({ kind, name }) => (kind === 'library' ? [name] : []))
  const hosts = [...sites, ...repositories].flatMap((url) => [new URL(url), ...addressesAt(url)])
  return {
    sources,
    access: {
      namedHosts: new Set(hosts.map(hostKey)),
      roots: sources.flatMap((source) =>
        source.kind === 'folder' || source.kind === 'file' ? [source.path] : [],
      ),
      sites,
      networks,
      only,
    },
  }
}

type SourceOptions = Pick<OpenOptions, 'repositoryAt' | 'unpackInto'>

async function openSource(name: string, options: SourceOptions): Promise<DocsSource> {
  const location = parseLocation(name)
  if (location.kind === 'web')
    return (
      options.repositoryAt(location.url) ?? { kind: 'site', name: location.url, url: location.url }
    )
  const path = await realpath(location.path).catch((cause) => {
    throw new DocsError(
      'not_found',
      `There is no file or folder ${quoteValue(location.path)}.`,
      'Pass a folder of pages, a page, an archive, a pack, or an http:// or https:// URL.',
      { cause },
    )
  })
  if ((await stat(path)).isDirectory()) return { kind: 'folder', name, path }
  if (/\.docpack$/i.test(path)) return { kind: 'pack', name, path }
  if (!isArchive(path)) return { kind: 'file', name, path }
  const folder = await unpack(path, join(options.unpackInto, fileKey(path)))
  return { kind: 'folder', name, path: await realpath(folder) }
}
