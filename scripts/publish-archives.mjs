// Publish the packed archives of a folder to npm, without those that it has. Nothing of the
// repository is built or run, so that only what was packed and looked at before is published.
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

/** What others need goes before them: whatever is there can be installed. */
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
