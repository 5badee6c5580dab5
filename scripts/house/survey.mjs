import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { knotsOf, quantile } from './graph.mjs'
import { readPackage } from './read-package.mjs'

/** What {@link survey} says is too many. */
const maxImporters = 40
const maxFunctionLines = 80

/** The figures of every package, and what in it breaks a rule of the house. */
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
    fileLines: spread(files.map(({ lines }) => lines)),
    functions: functions.length,
    functionLines: spread(functions),
    longFunctions: functions.filter((lines) => lines > maxFunctionLines).length,
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

const spread = (numbers) => ({
  median: quantile(numbers, 0.5),
  p95: quantile(numbers, 0.95),
  max: quantile(numbers, 1),
})

/** The place of each file's room in the order of the package; -1 for a file that has no room. */
function roomsOf(files, order) {
  return new Map(files.map(({ name }) => [name, order.indexOf(roomOf(name, order))]))
}

/** The longest of the rooms that the path lies in. A room is a folder, or a file at the top without its end. */
function roomOf(path, order) {
  const isTop = path.split('/').length === 2
  const inside = order.filter((room) =>
    isTop ? path.replace(/\.tsx?$/, '') === room : path.startsWith(`${room}/`),
  )
  return inside.sort((a, b) => b.length - a.length)[0]
}

/** From folder to folder. A file that lies in no folder of its own stands for itself. */
function folderArrows(arrows) {
  const folderOf = (path) => (/^[^/]+\/[^/]+$/.test(path) ? basename(path) : dirname(path))
  const folders = new Map()
  for (const { from, to } of arrows) {
    const targets = folders.get(folderOf(from)) ?? new Set()
    folders.set(folderOf(from), targets.add(folderOf(to)))
  }
  for (const [folder, targets] of folders) targets.delete(folder)
  return folders
}

/** Files outside the lowest room that too many files import. */
function crowdedOf(arrows, rooms) {
  const importers = new Map()
  for (const { to } of arrows) importers.set(to, (importers.get(to) ?? 0) + 1)
  return [...importers]
    .filter(([name, count]) => count > maxImporters && rooms.get(name) > 0)
    .map(([name, count]) => `${name} (${count})`)
}
