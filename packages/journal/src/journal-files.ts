import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { attempt } from '#base/attempt'

const namePattern = /^(\d{4}-\d\d-\d\d)\.([0-9a-z]+)\.(\d+)\.jsonl$/

/** The files of a journal, the oldest first. */
export const journalFiles = (folder: string): string[] =>
  attempt(
    () =>
      readdirSync(folder)
        .filter((name) => namePattern.test(name))
        .sort()
        .map((name) => join(folder, name)),
    [],
  )

/** The parts of a file name: the day of its first line, its writer, and its number among theirs. */
export interface JournalFile {
  name: string
  day: string
  replica: string
  number: number
}

/** Of a path or a name; empty if it is not of a journal. */
export function partsOf(path: string): JournalFile {
  const name = basename(path)
  const [, day = '', replica = '', number = 0] = namePattern.exec(name) ?? []
  return { name, day, replica, number: Number(number) }
}

/** The day of the file's first line. */
export const dayOf = (path: string): string => partsOf(path).day
