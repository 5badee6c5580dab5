// Pack each public package into a folder, as it is published. pnpm packs private ones, too, so the
// public ones are named.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const folder = resolve(process.argv[2] ?? 'artifacts/npm')

const filters = ['packages', 'apps']
  .flatMap((parent) => readdirSync(parent).map((name) => `./${parent}/${name}`))
  .filter((path) => !JSON.parse(readFileSync(`${path}/package.json`, 'utf8')).private)
  .flatMap((path) => ['--filter', path])

execFileSync('pnpm', ['--recursive', ...filters, 'pack', '--pack-destination', folder], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
