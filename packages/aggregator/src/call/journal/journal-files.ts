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

/** The parts of a file name: the day of its first line, and its writer. */
export function nameParts(
  path: string,
): { name: string; day: string; replica: string } | undefined {
  const name = basename(path)
  const [, day, replica] = namePattern.exec(name) ?? []
  return day === undefined || replica === undefined ? undefined : { name, day, replica }
}

/** The day of the file's first line. */
export const dayOf = (path: string): string => nameParts(path)?.day ?? ''
