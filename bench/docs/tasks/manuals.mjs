// The manuals that the tasks are about, out of Debian and npm packages, in .corpus beside it.
//   node manuals.mjs [name …]      fetch all of manuals.json, or the ones named
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fetchManual } from '../../corpus/fetch-manual.mjs'

const here = (name) => new URL(name, import.meta.url)
const list = JSON.parse(readFileSync(here('manuals.json'), 'utf8'))
const folder = fileURLToPath(here('.corpus'))

/** By name: where the manual lies, and whether it is kept for the last measurement or a fresh one. */
export const manuals = new Map(
  Object.entries(list).map(([name, { root, isLast = false, isFresh = false, ...from }]) => [
    name,
    {
      name,
      ...from,
      root: `${folder}/${name}/${root}`,
      set: isFresh ? 'fresh' : isLast ? 'last' : '',
    },
  ]),
)

/** @returns {object[]} the tasks of a set of manuals: the first, `last` (kept for the end) or `fresh` */
export function readTasks({ set = '', only } = {}) {
  return JSON.parse(readFileSync(here('tasks.json'), 'utf8')).filter(({ manual }) =>
    only ? only.includes(manual) : manuals.get(manual).set === set,
  )
}

/** Pages of a manual, as paths below its root, in an order that is the same everywhere. */
export const pagesOf = ({ root }) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:html?|md)$/.test(entry.name))
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.slice(root.length + 1))
    .sort()

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv.slice(2)
  for (const manual of manuals.values()) {
    if (wanted.length > 0 && !wanted.includes(manual.name)) continue
    try {
      if (!existsSync(manual.root)) fetchManual(manual, folder)
      console.log(`${manual.name}: ${pagesOf(manual).length} pages`)
    } catch (error) {
      console.error(`${manual.name} could not be fetched: ${error.message.split('\n')[0]}`)
      process.exitCode = 1
    }
  }
}
