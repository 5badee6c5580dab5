// Publish the packed archives of a folder that npm does not have yet. Nothing is built or run, so
// that exactly the reviewed archives are published.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(process.argv[2] ?? 'artifacts/npm')

for (const { archive, name, version } of inOrder(readdirSync(folder).flatMap(read))) {
  if (isPublished(`${name}@${version}`)) {
    console.log(`${name}@${version} is there already.`)
    continue
  }
  run('npm', 'publish', archive)
  console.log(`${name}@${version} is published.`)
}

function read(file) {
  if (!file.endsWith('.tgz')) return []
  const archive = join(folder, file)
  const manifest = JSON.parse(run('tar', '-xzOf', archive, 'package/package.json'))
  const { name, version, dependencies = {}, optionalDependencies = {} } = manifest
  return [
    { archive, name, version, needs: Object.keys({ ...dependencies, ...optionalDependencies }) },
  ]
}

/** Dependencies first, so that every published package can be installed. */
function inOrder(packages) {
  const byName = new Map(packages.map((one) => [one.name, one]))
  const ordered = new Set()
  const add = (one) => {
    for (const need of one.needs)
      if (byName.has(need) && !ordered.has(byName.get(need))) add(byName.get(need))
    ordered.add(one)
  }
  for (const one of packages) add(one)
  return [...ordered]
}

function isPublished(id) {
  try {
    return run('npm', 'view', id, 'version').trim() !== ''
  } catch (error) {
    if (/\bE404\b/.test(error.stderr)) return false
    throw error
  }
}

function run(command, ...args) {
  const shell = process.platform === 'win32'
  return execFileSync(command, args, { encoding: 'utf8', shell, stdio: ['ignore', 'pipe', 'pipe'] })
}
