import { isTable } from '#base/table'
import type { Library } from './library.ts'
import { fileIn, maxManifestBytes, metadataOf, tableIn, textAt, textIn } from './package-files.ts'

/** Where the manifest of a package says that it is developed. */
export interface PackageRepository {
  /** As the manifest names it; empty if it does not. */
  repository: string
  /** Its folder in a repository of several packages. */
  directory: string
  name: string
  version: string
}

/** npm: `repository` of the manifest; Python: the first address of its metadata on GitHub. */
export async function declaredRepository(library: Library): Promise<PackageRepository> {
  const { folder = '', metadata, version, ecosystem } = library
  const name = library.aliasOf ?? library.name
  const isNpm = ecosystem === 'npm'
  const file = isNpm
    ? await fileIn(folder, 'package.json')
    : await metadataOf(folder, metadata ?? '')
  const text = (file && (await textAt(file, maxManifestBytes))) ?? ''
  const declared = isNpm ? tableIn(text)?.['repository'] : addressIn(text)
  if (!isTable(declared))
    return { repository: String(declared ?? ''), directory: '', name, version }
  const directory = (textIn(declared, 'directory') ?? '').replace(/^\.?\/|\/$/g, '')
  const isInside = /^[\w@][\w@.-]*(?:\/[\w@][\w@.-]*)*$/.test(directory)
  const repository = textIn(declared, 'url') ?? ''
  return { repository, directory: isInside ? directory : '', name, version }
}

const link = /^(?:Home-page: *|Project-URL: *[^,\n]*, *)(https?:\/\/github\.com\/[\w-]+\/[\w.-]+)/im

const addressIn = (metadata: string): string | undefined =>
  link.exec(metadata.split(/\r?\n\r?\n/, 1)[0] ?? '')?.[1]
