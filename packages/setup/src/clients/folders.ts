import { dirname, join } from 'node:path'
import type { Place, Surroundings } from './client-files.ts'

/** The folder we are in and those around it, the nearest first; not beyond the home. */
export function foldersAround({ cwd, home }: Surroundings): string[] {
  const folders = [cwd]
  for (let at = cwd; at !== home && at !== dirname(at); at = dirname(at)) folders.push(dirname(at))
  return folders
}

/** The places of a project's own file: the nearest counts. */
export const inFolder = (
  around: Surroundings,
  way: readonly string[],
  at: readonly string[],
): Place[] => foldersAround(around).map((folder) => ({ file: join(folder, ...way), at, folder }))

/** The place of a project's own file in the folder we are in. */
export const here = (
  { cwd }: Surroundings,
  way: readonly string[],
  at: readonly string[],
): Place => ({ file: join(cwd, ...way), at, folder: cwd })

/** Where editors and desktop programs keep what is the user's. */
export function applicationFolder({ platform, home, variables }: Surroundings): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return variables['APPDATA'] || join(home, 'AppData', 'Roaming')
  return variables['XDG_CONFIG_HOME'] || join(home, '.config')
}
