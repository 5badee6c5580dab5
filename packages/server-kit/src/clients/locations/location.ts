import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** What paths of configuration files depend on; an argument, so that tests can use any folder. */
export interface HostEnvironment {
  home: string
  /** The folder of the project. */
  cwd: string
  platform: NodeJS.Platform
  variables: Readonly<Record<string, string | undefined>>
}

/** A configuration file of a client, and the path in it. */
export interface ConfigLocation {
  /** Absolute; `*` matches any part of one name. */
  file: string
  /** Path to the object with the servers. */
  at: readonly string[]
  /** The product of this file, if a client has several. */
  product?: string
  /** The servers are available in this folder only. */
  folder?: string
}

/** `folder`: the current folder; `user`: all folders of the user. */
export type Scope = 'folder' | 'user'

/** The current folder and its parents up to the home folder, the nearest first. */
export function foldersAround({ cwd, home }: HostEnvironment): string[] {
  const folders = [cwd]
  for (let at = cwd; at !== home && at !== dirname(at); at = dirname(at)) folders.push(dirname(at))
  return folders
}

/** Locations of a project's file: the nearest one is used. */
export const inFolder = (
  host: HostEnvironment,
  path: readonly string[],
  at: readonly string[],
): ConfigLocation[] =>
  foldersAround(host).map((folder) => ({ file: join(folder, ...path), at, folder }))

/** Location of a project's file in the current folder. */
export const here = (
  { cwd }: HostEnvironment,
  path: readonly string[],
  at: readonly string[],
): ConfigLocation => ({ file: join(cwd, ...path), at, folder: cwd })

/**
 * The locations of a client with one file of the user and one in folders: of each the first that
 * exists, or the last one.
 */
export const filesAt = (
  at: readonly string[],
  user: (host: HostEnvironment) => readonly string[],
  ...paths: readonly (readonly string[])[]
): {
  locations(host: HostEnvironment): ConfigLocation[][]
  target(host: HostEnvironment, scope: Scope): ConfigLocation[]
} => {
  const inUser = (host: HostEnvironment) => user(host).map((file) => ({ file, at }))
  const inFolders = (folders: readonly string[]) =>
    folders.flatMap((folder) => paths.map((path) => ({ file: join(folder, ...path), at, folder })))
  return {
    locations: (host) => [
      inUser(host),
      ...(paths.length > 0 ? [inFolders(foldersAround(host))] : []),
    ],
    target: (host, scope) => (scope === 'folder' ? inFolders([host.cwd]) : inUser(host)),
  }
}

/** Where editors and desktop programs store settings of the user. */
export function applicationFolder(host: HostEnvironment): string {
  const { platform, home, variables } = host
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return variables['APPDATA'] || join(home, 'AppData', 'Roaming')
  return configFolder(host)
}

/** Where programs store settings of the user as on Linux, on all platforms but Windows. */
export const configFolder = ({ home, variables }: HostEnvironment): string =>
  variables['XDG_CONFIG_HOME'] || join(home, '.config')

/** The environment of this process, with its variables. */
export const hostEnvironment = (variables: HostEnvironment['variables']): HostEnvironment => ({
  home: homedir(),
  cwd: process.cwd(),
  platform: process.platform,
  variables,
})

/** One location for each match of `*`; the location itself if it has no `*`. */
export async function matchingLocations(location: ConfigLocation): Promise<ConfigLocation[]> {
  const [before = '', after] = location.file.split('*')
  if (after === undefined) return [location]
  const folder = dirname(`${before}x`)
  const start = before.slice(folder.length + 1)
  const names = await readdir(folder).catch((): string[] => [])
  return names
    .filter((name) => name.startsWith(start))
    .sort()
    .map((name) => ({ ...location, file: join(folder, name + after) }))
}
