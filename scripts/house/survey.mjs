import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { knotsOf, quantile } from './graph.mjs'
import { readPackage } from './read-package.mjs'

/** Limits of {@link survey}. */
const maxImporters = 40
const maxFunctionLines = 80
const maxBranches = 15

/** The figures of every package, and its violations of the rules. */
export function survey() {
  const orders = JSON.parse(readFileSync('scripts/house/rooms.json', 'utf8'))
  return ['packages', 'apps'].flatMap((folder) =>
    readdirSync(folder).map((name) =>
      surveyPackage(name, readPackage(`${folder}/${name}`), orders[name]),
    ),
  )
}

function surveyPackage(name, files, order = []) {
  const functions = files.flatMap((file) => file.functions.map(({ lines }) => lines))
  const rooms = roomsOf(files, order)
  const arrows = files.flatMap((file) => file.imports.map((to) => ({ from: file.name, to })))
  return {
    name,
    files: files.length,
    lines: files.reduce((sum, { lines }) => sum + lines, 0),
    kinds: sumOfKinds(files),
    fileLines: spread(files.map(({ lines }) => lines)),
    functions: functions.length,
    functionLines: spread(functions),
    longFunctions: functions.filter((lines) => lines > maxFunctionLines).length,
    long: functionsOver(files, 'lines', maxFunctionLines),
    branched: functionsOver(files, 'branches', maxBranches),
    fileCycles: knotsOf(new Map(files.map((file) => [file.name, file.imports]))),
    knots: knotsOf(folderArrows(arrows)),
    strays: files.flatMap((file) => (rooms.get(file.name) < 0 ? file.name : [])),
    violations: arrows
      .filter(({ from, to }) => rooms.get(to) > rooms.get(from))
      .map(({ from, to }) => `${from} → ${to}`)
      .sort(),
    crowded: crowdedOf(arrows, rooms),
  }
}

/** Functions whose figure is over a limit, the highest first. */
const functionsOver = (files, figure, limit) =>
  files
    .flatMap(({ name: file, functions }) => functions.map((it) => ({ file, ...it })))
    .filter((it) => it[figure] > limit)
    .sort((a, b) => b[figure] - a[figure])

/** Lines by kind: statements, comments, blanks, imports, types. */
function sumOfKinds(files) {
  const sum = {}
  for (const { kinds } of files)
    for (const [kind, lines] of Object.entries(kinds)) sum[kind] = (sum[kind] ?? 0) + lines
  return sum
}

const spread = (numbers) => ({
  median: quantile(numbers, 0.5),
  p95: quantile(numbers, 0.95),
  max: quantile(numbers, 1),
})

/** Index of each file's room in the order of the package; -1 for a file without a room. */
function roomsOf(files, order) {
  return new Map(files.map(({ name }) => [name, order.indexOf(roomOf(name, order))]))
}

/**
 * The most specific room of a path. A room is a folder, a top-level file without its extension, or a
 * file in a folder with its extension.
 */
function roomOf(path, order) {
  const isTop = path.split('/').length === 2
  const inside = order.filter((room) =>
    isTop ? path.replace(/\.tsx?$/, '') === room : path === room || path.startsWith(`${room}/`),
  )
  return inside.sort((a, b) => b.length - a.length)[0]
}

/** Arrows between folders. A top-level file counts as a folder. */
function folderArrows(arrows) {
  const folderOf = (path) => (/^[^/]+\/[^/]+$/.test(path) ? path : dirname(path))
  const folders = new Map()
  for (const { from, to } of arrows) {
    const targets = folders.get(folderOf(from)) ?? new Set()
    folders.set(folderOf(from), targets.add(folderOf(to)))
  }
  for (const [folder, targets] of folders) targets.delete(folder)
  return folders
}

/** Files outside the lowest room with too many importers. */
function crowdedOf(arrows, rooms) {
  const importers = new Map()
  for (const { to } of arrows) importers.set(to, (importers.get(to) ?? 0) + 1)
  return [...importers]
    .filter(([name, count]) => count > maxImporters && rooms.get(name) > 0)
    .map(([name, count]) => `${name} (${count})`)
}
