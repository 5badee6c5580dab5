// Fetch source code that nobody here wrote into bench/.corpus/code: CPython out of Debian's source
// package, the amalgamation of SQLite and the TypeScript compiler out of packages of npm. Needs
// apt-get and a machine whose sources are Debian's; elsewhere it says so and ends with 1. What is
// there already is left alone.
//   node fetch.mjs
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { codeFolder } from './corpora.mjs'

const debianPackage = 'python3.11'
const npmFiles = {
  sqlite: { from: 'better-sqlite3@12.11.1', file: 'deps/sqlite3/sqlite3.c' },
  typescript: { from: 'typescript@5.9.3', file: 'lib/typescript.js' },
}

const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 })

/** Options with which apt-get has the sources of the packages that the machine has, without touching its own lists. */
function sourceOptions(folder) {
  const own = '/etc/apt'
  const parts = join(folder, 'parts')
  for (const made of [parts, join(folder, 'lists/partial'), join(folder, 'cache/archives/partial')])
    mkdirSync(made, { recursive: true })
  const listed = existsSync(`${own}/sources.list.d`) ? readdirSync(`${own}/sources.list.d`) : []
  for (const name of ['../sources.list', ...listed]) {
    const path = join(own, 'sources.list.d', name)
    if (!/\.(?:list|sources)$/.test(name) || !existsSync(path)) continue
    const text = readFileSync(path, 'utf8')
    const sources = text
      .replace(/^deb(?=\s)/gm, 'deb-src')
      .replace(/^Types:.*$/gm, 'Types: deb-src')
    writeFileSync(join(parts, name.replace('../', '')), sources)
  }
  return [
    'Dir::Etc::sourcelist=/dev/null',
    `Dir::Etc::sourceparts=${parts}`,
    `Dir::State::lists=${join(folder, 'lists')}`,
    `Dir::Cache=${join(folder, 'cache')}`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option])
}

function fetchPython(folder) {
  const options = sourceOptions(folder)
  try {
    run('apt-get', [...options, 'update'], folder)
  } catch (error) {
    // A list of somebody else's packages may have no sources.
    if (error.code === 'ENOENT') throw error
  }
  run('apt-get', [...options, 'source', '--download-only', '--tar-only', debianPackage], folder)
  const archive = readdirSync(folder).find((name) => name.includes('.orig.tar'))
  const target = join(folder, 'python')
  mkdirSync(target)
  run('tar', ['-xf', archive, '-C', target, '--strip-components=1'], folder)
  return target
}

function fetchFromNpm(folder, name, { from, file }) {
  run('npm', ['pack', from, '--silent'], folder)
  const archive = readdirSync(folder).find((entry) => entry.endsWith('.tgz'))
  run('tar', ['-xf', archive], folder)
  const target = join(folder, name)
  mkdirSync(target)
  cpSync(join(folder, 'package', file), join(target, file.split('/').at(-1)))
  return target
}

const fetches = {
  python: fetchPython,
  ...Object.fromEntries(
    Object.entries(npmFiles).map(([name, files]) => [
      name,
      (folder) => fetchFromNpm(folder, name, files),
    ]),
  ),
}

mkdirSync(codeFolder, { recursive: true })
for (const [name, fetchInto] of Object.entries(fetches)) {
  const target = join(codeFolder, name)
  if (existsSync(target)) continue
  // Beside the corpus, so that an interrupted run leaves no half of one.
  const folder = mkdtempSync(`${codeFolder}-fetch-`)
  try {
    renameSync(fetchInto(folder), target)
    console.log(`${name}: fetched`)
  } catch (error) {
    const said = String(error.stderr ?? '')
      .trim()
      .split('\n')[0]
    console.error(`${name} could not be fetched here: ${said || error.message.split('\n')[0]}`)
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
