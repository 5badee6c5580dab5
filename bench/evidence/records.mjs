import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const recordsFile = fileURLToPath(new URL('../evidence.json', import.meta.url))

/** What each run printed, with its command, date and machine. */
export const readRecords = () =>
  existsSync(recordsFile) ? JSON.parse(readFileSync(recordsFile, 'utf8')) : {}

/**
 * A figure of the records: of a run, the first row that begins with `row`, in a table with `column`.
 *
 * @throws {Error} for a figure that no run printed
 */
export const figureOf = (records) => (id, row, column) => {
  const tables = records[id]?.tables.filter(({ head }) => head.includes(column)) ?? []
  for (const { head, rows } of tables) {
    const cells = rows.find(([name]) => name.startsWith(row))
    const cell = cells?.[head.indexOf(column)]
    if (cell) return cell
  }
  throw new Error(`${id} has no figure of “${row}”, “${column}”. Run: pnpm evidence ${id}`)
}
