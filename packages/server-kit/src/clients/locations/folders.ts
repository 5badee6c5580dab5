import { dirname, join } from 'node:path'
import type { ConfigLocation, HostEnvironment } from './location.ts'

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

/** Where editors and desktop programs store settings of the user. */
export function applicationFolder({ platform, home, variables }: HostEnvironment): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return variables['APPDATA'] || join(home, 'AppData', 'Roaming')
  return variables['XDG_CONFIG_HOME'] || join(home, '.config')
}
