import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/**
 * Performs recipes in a copy of the working tree, which it removes afterwards: edits the places
 * that they name, updates their snapshots, and runs the compiler and their tests. Returns what is
 * wrong: places that cannot be edited, files that were written and that no recipe names, and the
 * output of the compiler and of tests that fail.
 */
export function performRecipes(recipes) {
  // A child ends at ctrl-C; with a listener this process goes on, to remove the copy.
  const goOn = () => {}
  process.on('SIGINT', goOn)
  const copy = mkdtempSync(join(tmpdir(), 'pith-recipe-'))
  try {
    fillCopy(copy)
    raiseStatements(copy)
    const before = hashesIn(copy)
    const faults = recipes.flatMap((recipe) =>
      placesOf(recipe).flatMap((place) => edit(copy, recipe, place)),
    )
    const run = (program, ...args) => runIn(copy, resolve('node_modules', program), args)
    for (const script of recipes.flatMap(({ builds = [] }) => builds))
      faults.push(...runIn(copy, join(copy, script)))
    const test = (paths, ...options) =>
      paths.length > 0
        ? run('vitest/vitest.mjs', 'run', ...options, ...projectsOf(paths), ...paths)
        : []
    faults.push(
      ...test(
        recipes.flatMap(({ updates = [] }) => updates),
        '--update',
      ),
    )
    for (const { folder, program, args } of recipes.flatMap(({ commands = [] }) => commands))
      faults.push(...runIn(join(copy, folder), resolve(folder, program), args))
    const places = new Set(recipes.flatMap(placesOf).map(({ path }) => path))
    for (const path of changedSince(before, hashesIn(copy)))
      if (!places.has(path)) faults.push(`${path} is not named.`)
    faults.push(...run('typescript/bin/tsc'))
    for (const project of new Set(recipes.flatMap(({ projects = [] }) => projects)))
      faults.push(...run('typescript/bin/tsc', '-p', project))
    faults.push(...test([...new Set(recipes.flatMap(({ tests }) => tests))]))
    return faults
  } finally {
    rmSync(copy, { recursive: true, force: true })
    process.off('SIGINT', goOn)
  }
}

/** The projects of vitest that have these tests. */
const projectsOf = (paths) =>
  [
    ...new Set(paths.map((path) => /^(?:packages|apps)\/([^/]+)\//.exec(path)?.[1] ?? 'repo')),
  ].flatMap((name) => ['--project', name])

/** The places of a recipe, in the order of its steps. */
const placesOf = ({ steps }) => steps.flatMap(({ places = [] }) => places)

const grammars = 'packages/code/grammars'

/** The tracked and new files, and the packages' links to each other and to what is installed. */
function fillCopy(copy) {
  for (const path of filesOfTree('.')) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    cpSync(path, join(copy, path), { verbatimSymlinks: true })
  }
  const linked = execFileSync('git', ['ls-files', '*/package.json'], { encoding: 'utf8' })
  for (const folder of ['.', ...linked.split('\n').filter(Boolean).map(dirname)])
    linkInstalled(folder, copy)
  // Built, and read by tests from source.
  if (existsSync(grammars)) cpSync(grammars, join(copy, grammars), { recursive: true })
}

/**
 * A package can be as large as its limit allows, and a recipe has to work in it all the same: in
 * the copy each limit is higher by more than all recipes together add to a package.
 */
function raiseStatements(copy) {
  const file = join(copy, 'scripts/house/limits.json')
  const limits = JSON.parse(readFileSync(file, 'utf8'))
  limits.source.allowance += 500
  writeFileSync(file, JSON.stringify(limits))
}

/** The links in `node_modules` are relative: those to packages of the copy lead into the copy. */
function linkInstalled(folder, copy) {
  const installed = join(folder, 'node_modules')
  if (!existsSync(installed)) return
  const target = join(copy, installed)
  mkdirSync(target, { recursive: true })
  if (folder === '.') symlinkSync(resolve(installed, '.pnpm'), join(target, '.pnpm'))
  const filter = (path) => !/node_modules\/\.(?:pnpm|vite|cache)/.test(path)
  cpSync(installed, target, { recursive: true, verbatimSymlinks: true, filter })
}

const filesOfTree = (folder) =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(folder, path)))

/** Files that a recipe adds or changes; a folder of fixtures counts once. */
export const filesTouched = (recipe) => [
  ...new Set(placesOf(recipe).map(({ path }) => path.replace(/(?<=\/fixtures\/[^/]+\/).*/, ''))),
]

/** Why the edits of a recipe cannot be made in the working tree. Nothing is written. */
export const faultsOfEdits = (recipe) =>
  placesOf(recipe).flatMap((place) => edit('.', recipe, place, { isDry: true }))

/** Edits one place. Returns why it cannot be. */
function edit(
  copy,
  { title },
  { path, create, after, before, replace, insert, isGenerated },
  { isDry } = {},
) {
  if (isGenerated) return []
  const file = join(copy, path)
  const fault = (text) => [`${title}: ${path} ${text}`]
  if (create !== undefined) {
    if (existsSync(file)) return fault('exists.')
    if (isDry) return []
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, create)
    return []
  }
  if (!existsSync(file)) return fault('does not exist.')
  const text = readFileSync(file, 'utf8')
  const anchor = after ?? before ?? replace
  const at = text.indexOf(anchor)
  if (at < 0 || text.indexOf(anchor, at + 1) >= 0)
    return fault(`has ${JSON.stringify(anchor)} ${at < 0 ? 'nowhere' : 'more than once'}.`)
  if (isDry) return []
  const start = after === undefined ? at : at + anchor.length
  const end = before === undefined ? at + anchor.length : at
  writeFileSync(file, text.slice(0, start) + insert + text.slice(end))
  return []
}

function hashesIn(folder) {
  if (!existsSync(join(folder, '.git'))) execFileSync('git', ['init', '-q'], { cwd: folder })
  return new Map(
    filesOfTree(folder).map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex'),
    ]),
  )
}

const changedSince = (before, after) =>
  [...after].filter(([path, hash]) => before.get(path) !== hash).map(([path]) => path)

/** Lines of output that are kept of a command that fails. */
const maxLines = 60
/** Milliseconds of one command: far more than a busy machine needs. */
const timeout = 600_000

/** @throws {Error} if the command is interrupted */
function runIn(cwd, program, args = []) {
  const options = {
    cwd,
    encoding: 'utf8',
    timeout,
    env: { ...process.env, CI: '', LONG: '', NO_COLOR: '1' },
  }
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [program, ...args],
    options,
  )
  if (signal === 'SIGINT') throw new Error('Interrupted.')
  if (status === 0) return []
  const lines = (stdout + stderr).split('\n').slice(-maxLines).join('\n')
  return [`${program} ${args.join(' ')}:\n${lines}`]
}
