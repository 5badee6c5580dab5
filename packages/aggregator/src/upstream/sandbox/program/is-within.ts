import { isAbsolute, relative, sep } from 'node:path'

/** Whether a path is a folder or stands in it; both absolute and plain. */
export function isWithin(path: string, folder: string): boolean {
  const from = relative(folder, path)
  return from === '' || (from !== '..' && !from.startsWith(`..${sep}`) && !isAbsolute(from))
}
