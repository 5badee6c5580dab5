import { isTable } from '#base/table'
import type { Library } from './library.ts'
import { fileIn, maxManifestBytes, tableIn, textAt, textIn } from './package-files.ts'

/** Where the manifest of a package says that it is developed. */
export interface PackageRepository {
  /** As the manifest names it; empty if it does not. */
  repository: string
  /** Its folder in a repository of several packages. */
  directory: string
  name: string
  version: string
}

const noLink = { repository: '', directory: '' }

/** npm: `repository` of the manifest; Python: the first address of its metadata on GitHub. */
export async function declaredRepository(library: Library): Promise<PackageRepository> {
  const { folder = '', metadata, name, version, ecosystem } = library
  const path = ecosystem === 'npm' ? 'package.json' : `${metadata}/METADATA`
  const file = await fileIn(folder, path)
  const text = (file && (await textAt(file, maxManifestBytes))) ?? ''
  return { ...(ecosystem === 'npm' ? ofManifest(text) : ofMetadata(text)), name, version }
}

function ofManifest(text: string): typeof noLink {
  const repository = tableIn(text)?.['repository']
  if (typeof repository === 'string') return { ...noLink, repository }
  if (!isTable(repository)) return noLink
  const directory = (textIn(repository, 'directory') ?? '').replace(/^\.?\/|\/$/g, '')
  const isInside = /^[\w@][\w@.-]*(?:\/[\w@][\w@.-]*)*$/.test(directory)
  return { repository: textIn(repository, 'url') ?? '', directory: isInside ? directory : '' }
}

function ofMetadata(text: string): typeof noLink {
  const [head = ''] = text.split(/\r?\n\r?\n/, 1)
  const fields =
    /^(?:Home-page: *|Project-URL: *[^,\n]*, *)(https?:\/\/github\.com\/[\w-]+\/[\w.-]+)/im
  return { ...noLink, repository: fields.exec(head)?.[1] ?? '' }
}
