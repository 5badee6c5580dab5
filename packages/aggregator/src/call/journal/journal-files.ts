import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'

const namePattern = /^(\d{4}-\d\d-\d\d)\.([0-9a-z]+)\.(\d+)\.jsonl$/

/** The files of a journal, the oldest first. */
export function journalFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => namePattern.test(name))
      .sort()
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** The parts of a file name: the day of its first line, its writer, and its number among theirs. */
export function nameParts(
  path: string,
): { name: string; day: string; replica: string; number: number } | undefined {
  const name = basename(path)
  const [, day, replica, number] = namePattern.exec(name) ?? []
  if (day === undefined || replica === undefined) return undefined
  return { name, day, replica, number: Number(number) }
}

/** The day of the file's first line. */
export const dayOf = (path: string): string => nameParts(path)?.day ?? ''
