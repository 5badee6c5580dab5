// Publish the packed archives of a folder to npm, without those that it has. Nothing of the
// repository is built or run, so that only what was packed and looked at before is published.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(process.argv[2] ?? 'artifacts/npm')

for (const file of readdirSync(folder).filter((name) => name.endsWith('.tgz'))) {
  const archive = join(folder, file)
  const { name, version } = JSON.parse(run('tar', '-xzOf', archive, 'package/package.json'))
  if (isPublished(`${name}@${version}`)) {
    console.log(`${name}@${version} is there already.`)
    continue
  }
  run('npm', 'publish', archive)
  console.log(`${name}@${version} is published.`)
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
