import { isAbsolute, relative, sep } from 'node:path'

/** True if a path is a folder or inside it; both must be absolute and normalized. */
export function isWithin(path: string, folder: string): boolean {
  const from = relative(folder, path)
  return from === '' || (from !== '..' && !from.startsWith(`..${sep}`) && !isAbsolute(from))
}
