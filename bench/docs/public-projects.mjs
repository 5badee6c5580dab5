// Install what public projects depend on, for installed.mjs.
//   node public-projects.mjs FOLDER
// Each project is a folder with the dependencies of a published program and the lockfile of one package
// manager; scripts of packages are not run. About 2 GB.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const npm = ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps']
const pnpm = ['npx', '--yes', 'pnpm@10.34.9', 'install', '--ignore-scripts']
const yarn = ['npx', '--yes', 'yarn@1.22.22', 'install', '--ignore-scripts', '--ignore-engines']
const projects = [
  ['ghost@6.65.0', npm],
  ['renovate@44.121.2', pnpm],
  ['netlify-cli@27.10.2', yarn],
]

const [target] = process.argv.slice(2)
if (target === undefined) throw new Error('Name the folder to install into.')
for (const [program, [command, ...args]] of projects) {
  const folder = resolve(target, program.replaceAll(/\W+/g, '-'))
  mkdirSync(folder, { recursive: true })
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) {
    const printed = execFileSync('npm', ['view', program, 'dependencies', '--json'])
    const all = Object.entries(JSON.parse(printed))
    // Not what a program has in its archive, nor its other packages, which may not be published.
    const scope = /^@[^/]+\//.exec(program)?.[0] ?? 'file:'
    const dependencies = Object.fromEntries(
      all.filter(([name, range]) => !name.startsWith(scope) && !range.startsWith('file:')),
    )
    writeFileSync(manifest, JSON.stringify({ private: true, dependencies }, null, 2))
  }
  if (existsSync(join(folder, 'installed'))) continue
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  writeFileSync(join(folder, 'installed'), '')
  console.log(folder)
}
