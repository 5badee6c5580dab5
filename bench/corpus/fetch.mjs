// Fetch documentation that nobody here wrote: pages of Debian packages, into bench/.corpus.
// Needs apt-get and dpkg; elsewhere it says so and ends with 1.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../.corpus/', import.meta.url))
const packages = JSON.parse(readFileSync(new URL('packages.json', import.meta.url), 'utf8'))

const run = (command, args) =>
  execFileSync(command, args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 300_000,
  })

const isComplete = (name, pages) =>
  pages.every((page) => existsSync(`${folder}usr/share/doc/${name}/${page}`))

mkdirSync(folder, { recursive: true })
for (const [name, pages] of Object.entries(packages)) {
  if (isComplete(name, pages)) continue
  try {
    try {
      run('apt-get', ['download', name])
    } catch {
      run('apt-get', ['update'])
      run('apt-get', ['download', name])
    }
    const archive = readdirSync(folder).find((file) => file.startsWith(`${name}_`))
    run('dpkg', ['-x', archive, '.'])
    console.log(`${name}: fetched`)
  } catch (error) {
    console.error(`${name} could not be fetched: ${error.message.split('\n')[0]}`)
    process.exitCode = 1
  }
}
