import { stat } from 'node:fs/promises'

/** Changes when the file does; npm gives all files the same date. */
export async function stampAt(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined)
  return stats ? `${stats.mtimeMs}:${stats.size}` : 'gone'
}
