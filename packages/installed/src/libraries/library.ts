import { DocsError, quoteValue } from '#formats/docs-error'

/** Where a project names a library: a group of its manifest, its workspace, `docs-mcp.json`, or nowhere. */
export type LibraryGroup =
  | 'dependencies'
  | 'devDependencies'
  | 'peerDependencies'
  | 'optionalDependencies'
  | 'workspace'
  | 'added'
  | 'transitive'

/** A package that a project has installed, or that its lockfile names. */
export interface Library {
  ecosystem: 'npm' | 'Python'
  name: string
  /** Empty for a package of the workspace without one. */
  version: string
  group: LibraryGroup
  /** Real path of its folder, for Python `site-packages`; absent if it is only in the lockfile. */
  folder?: string
  /** Python: its `*.dist-info` folder. */
  metadata?: string
  /** What the lockfile plans, if that is another version or nothing is installed. */
  planned?: { version: string; lockfile: string }
  /** The name in its manifest, if it is installed under another one. */
  aliasOf?: string
  /** Why it has no folder, unless it is not installed. */
  absence?: string | undefined
}

/** The libraries of one ecosystem in a project. */
export interface LibraryProject {
  /** Direct ones and those of the workspace, in the order of the groups. */
  list(): Promise<Library[]>
  /** All that are installed or locked under a name, those that the project resolves first. */
  versionsOf(name: string): Promise<Library[]>
  /** Names of everything that is installed, at most `most`. */
  names(most: number): Promise<string[]>
  /** Files that change when something is installed or declared. */
  watched: readonly string[]
}

/** `zod 4.1.0`: the name of a library as a source; `z 4.1.0 (zod)` of an alias. */
export const titleOf = ({
  name,
  version,
  aliasOf,
}: Pick<Library, 'name' | 'version' | 'aliasOf'>): string =>
  `${name}${version && ` ${version}`}${aliasOf ? ` (${aliasOf})` : ''}`

/** `zod@4.1.0`: the beginning of the addresses of its pages. */
export const addressOf = ({ name, version }: Pick<Library, 'name' | 'version'>): string =>
  version === '' ? name : `${name}@${version}`

const address =
  /^((?:@[\w~-][\w.~-]{0,213}\/)?[a-z\d_~-][\w.~-]{0,213})(?:@([^/@\s]{1,100}))?(?:\/(.*))?$/is

/** A name, with a version or without, and the page after it; undefined for anything else. */
export function parseAddress(
  text: string,
): { name: string; version?: string; page?: string } | undefined {
  const [, name, version, page] = address.exec(text.trim()) ?? []
  if (name === undefined) return undefined
  return { name, ...(version && { version }), ...(page && { page }) }
}

/** True if a requested version is this one, or the beginning of it: `4`, `v4.1`, `4.x`. */
export function isVersion(requested: string, version: string): boolean {
  const start = requested.replace(/^[v=]+/i, '').replace(/(?:\.[x*])+$/i, '')
  return version === start || version.startsWith(`${start}.`)
}

/** The library of the requested version. @throws {DocsError} `not_found`, with the nearest one. */
export function ofVersion(
  libraries: readonly Library[],
  requested: string | undefined,
  project: string,
): Library {
  const [first] = libraries.filter(
    ({ version }) => requested === undefined || isVersion(requested, version),
  )
  const nearest = first ?? nearestVersion(libraries, requested ?? '')
  const isInstalled = nearest.folder !== undefined
  if (first && isInstalled) return first
  const { name, planned, absence = 'not installed' } = nearest
  if (!isInstalled)
    throw new DocsError(
      'not_found',
      `${titleOf(nearest)} is in ${planned?.lockfile ?? 'the manifest'} of ${project}, but ${absence}.`,
      'Install the dependencies of the project into node_modules, or pass the URL of its documentation.',
    )
  const versions = libraries.map(({ version, folder }) =>
    folder ? version : `${version} (only locked)`,
  )
  throw new DocsError(
    'not_found',
    `${name} ${quoteValue(requested ?? '')} is not installed: ${project} has ${name} ${[...new Set(versions)].join(', ')}.`,
    `For the nearest installed version pass ${quoteValue(addressOf(nearest))}; for ${name} ${quoteValue(requested ?? '')} the URL of its documentation.`,
  )
}

/** The installed version that shares most parts with the requested one. */
function nearestVersion(libraries: readonly Library[], requested: string): Library {
  const parts = requested.replace(/^\D+/, '').split('.')
  const shared = ({ version }: Library): number => {
    const numbers = version.split('.')
    const end = parts.findIndex((part, at) => part !== numbers[at])
    return end < 0 ? parts.length : end
  }
  const worth = (library: Library): number => (library.folder ? 1_000 : 0) + shared(library)
  return [...libraries].sort((a, b) => worth(b) - worth(a))[0] as Library
}
