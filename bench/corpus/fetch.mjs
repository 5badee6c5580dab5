// Fetch documentation that nobody here wrote: the pages of pages.json and list-pages.json out of
// Debian packages, into bench/.corpus. Needs apt-get and dpkg; elsewhere it says so and ends with 1.
//   node bench/corpus/fetch.mjs [package …]      all packages, or the ones named
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { corpusFolder, corpusPages, isUnchanged } from './corpus.mjs'
import { download } from './download.mjs'

const wanted = process.argv.slice(2)
const run = (command, args, options = {}) =>
  execFileSync(command, args, {
    cwd: corpusFolder,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 300_000,
    ...options,
  })

function unpack(archive, paths) {
  const files = run('dpkg', ['--fsys-tarfile', archive], {
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 4 * 2 ** 30,
  })
  run('tar', ['-x', ...paths.map((path) => `./${path}`)], {
    input: files,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
}

mkdirSync(corpusFolder, { recursive: true })
const pages = ['pages.json', 'list-pages.json'].flatMap(corpusPages)
for (const name of new Set(pages.map((page) => page.package))) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const own = pages.filter((page) => page.package === name)
  if (own.every((page) => existsSync(page.file))) continue
  try {
    const archive = download(name, corpusFolder)
    unpack(
      archive,
      own.map((page) => page.path),
    )
    rmSync(`${corpusFolder}/${archive}`)
    const changed = own.filter((page) => !isUnchanged(page))
    console.log(
      `${name}: ${own.length} pages${changed.length > 0 ? `, ${changed.length} of them not those that were measured` : ''}`,
    )
  } catch (error) {
    console.error(`${name} could not be fetched: ${error.message.split('\n')[0]}`)
    process.exitCode = 1
  }
}
