// What the sections have in common: medians, tables, and what becomes of a contender that is not
// there or fails.
import { isInstalled } from './contenders.mjs'

export const at = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))]
export const median = (values) => at(values, 0.5)

const absences = new Set()

/** Those that can take part; the others are named, once. */
export function present(contenders, only) {
  return contenders.filter((contender) => {
    if (only && !only.some((name) => contender.name.includes(name))) return false
    if (isInstalled(contender)) return true
    absences.add(contender.name)
    return false
  })
}

export function printTable(title, columns, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  console.log(`\n${title}\n\n${line(columns)}\n${line(columns.map(() => '---'))}`)
  for (const row of rows) console.log(line(row))
}

export function printAbsences() {
  if (absences.size > 0)
    console.log(`\nAbsent, for they are not installed: ${[...absences].join(', ')}`)
}

export function reason(error) {
  return `failed: ${error.message.replaceAll(/[\s|]+/g, ' ').slice(0, 120)}`
}

/** Runs each contender in each round, so that all have the same of the machine; one that fails is out. */
export async function interleave(contenders, rounds, run) {
  const results = new Map(contenders.map((contender) => [contender, { all: [] }]))
  for (let round = 0; round < rounds; round++)
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const result = results.get(contender)
      if (result.error) continue
      try {
        result.all.push(await run(contender, round))
      } catch (error) {
        result.error = error
      }
    }
  return results
}

/** One row for each contender, or why there is none. */
export function rowsOf(results, columns, cells) {
  return [...results].map(([contender, result]) => {
    if (!result.error) return [contender.name, ...cells(result.all, contender)]
    return [contender.name, reason(result.error), ...Array(columns.length - 2).fill('–')]
  })
}
