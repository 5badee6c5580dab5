import type { LibraryDescription } from '@pith-mcp/docs'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { amount } from '@pith-mcp/server-kit/tools'
import type { Config } from '../config.ts'
import { openDocs } from '../open-docs.ts'
import { projectFolder } from '../project-folder.ts'
import type { Outcome } from './open-source.ts'

/** List what the project in the current folder has installed, and what is served of it. */
export async function listLibraries({ settings, positionals, json }: Config): Promise<Outcome> {
  if (positionals.length > 0)
    throw new UsageError(`libraries takes no arguments; remove ${JSON.stringify(positionals[0])}.`)
  const local = { ...settings, cache: false as const, site: [], http: undefined, compat: undefined }
  if (projectFolder(local, []) === undefined)
    throw new UsageError(
      'libraries requires a project: a folder with a package.json, pyproject.toml or requirements.txt.',
    )
  const docs = await openDocs({ ...local, databaseUrl: undefined }, [])
  try {
    const libraries = await docs.libraries()
    const isOk = libraries.length > 0
    if (json) return { text: JSON.stringify(libraries, null, 2), isOk }
    const installed = libraries.filter(({ isInstalled }) => isInstalled).length
    const total = `${amount(libraries.length, 'package')}, ${installed} installed`
    return { text: [...libraries.map(lineOf), total].join('\n'), isOk }
  } finally {
    await docs.close()
  }
}

function lineOf(library: LibraryDescription): string {
  const { name, version, group, isInstalled, readmeBytes, docsPages, hasChangeLog } = library
  const { types, planned, absence } = library
  const alias = library.aliasOf ? ` (${library.aliasOf})` : ''
  const title = `${`${name} ${version}`.trim()}${alias}`
  const has = [
    ...(readmeBytes > 0 ? [`README ${Math.max(1, Math.round(readmeBytes / 1_000))} kB`] : []),
    ...(docsPages > 0 ? [amount(docsPages, 'page')] : []),
    ...(types === undefined ? [] : [types === title ? 'types' : `types of ${types}`]),
    ...(hasChangeLog ? ['change log'] : []),
  ]
  const what = isInstalled
    ? has.join(', ') || 'nothing to read'
    : (absence ?? `not installed${planned ? `, only in ${planned.lockfile}` : ''}`)
  const plan = isInstalled && planned ? `; ${planned.lockfile} plans ${planned.version}` : ''
  return `${title} (${group}): ${what}${plan}`
}
