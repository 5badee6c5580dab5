import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { download } from './download.mjs'

/**
 * Unpack a Debian or npm package into `folder/name`. Into another folder first, so that an
 * interrupted run leaves no half manual.
 */
export function fetchManual({ name, debian, npm }, folder) {
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
