// The manuals that the tasks are about, out of Debian and npm packages, in .corpus beside it.
//   node manuals.mjs [name …]      fetch all of manuals.json, or the ones named
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { download } from '../../corpus/download.mjs'

const here = (name) => new URL(name, import.meta.url)
const list = JSON.parse(readFileSync(here('manuals.json'), 'utf8'))
const folder = fileURLToPath(here('.corpus'))

/** By name: where the manual lies, and whether it is kept for the last measurement. */
export const manuals = new Map(
  Object.entries(list).map(([name, { root, isLast = false, ...from }]) => [
    name,
    { name, ...from, root: `${folder}/${name}/${root}`, isLast },
  ]),
)

/** @returns {object[]} the tasks, those of the manuals kept for the end only if asked for */
export function readTasks({ last = false, only } = {}) {
  return JSON.parse(readFileSync(here('tasks.json'), 'utf8')).filter(({ manual }) =>
    only ? only.includes(manual) : manuals.get(manual).isLast === last,
  )
}

/** Pages of a manual, as paths below its root, in an order that is the same everywhere. */
export const pagesOf = ({ root }) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:html?|md)$/.test(entry.name))
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`.slice(root.length + 1))
    .sort()

/** Into another folder first, so that an interrupted run leaves no half manual. */
function fetch({ name, debian, npm }) {
  const half = `${folder}/${name}.part`
  rmSync(half, { recursive: true, force: true })
  mkdirSync(half, { recursive: true })
  const run = (command, args) =>
    execFileSync(command, args, { cwd: half, stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 })
  const archive = debian
    ? download(debian, half)
    : JSON.parse(run('npm', ['pack', '--json', npm]).toString())[0].filename
  if (debian) run('dpkg', ['-x', archive, '.'])
  else run('tar', ['-xzf', archive])
  rmSync(`${half}/${archive}`)
  renameSync(half, `${folder}/${name}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv.slice(2)
  for (const manual of manuals.values()) {
    if (wanted.length > 0 && !wanted.includes(manual.name)) continue
    try {
      if (!existsSync(manual.root)) fetch(manual)
      console.log(`${manual.name}: ${pagesOf(manual).length} pages`)
    } catch (error) {
      console.error(`${manual.name} could not be fetched: ${error.message.split('\n')[0]}`)
      process.exitCode = 1
    }
  }
}
