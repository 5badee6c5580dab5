// Fetch whole manuals that nobody here wrote, out of Debian packages, into bench/.corpus/manuals,
// and say how large they are. Needs apt-get and dpkg. What is there already is left alone.
//   node manuals.mjs [package …]      all of trees.mjs, or the ones named
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { download } from '../corpus/download.mjs'
import { folderOf, manualsFolder, pagesOf, trees } from './trees.mjs'

const wanted = process.argv.slice(2)
const run = (command, args) =>
  execFileSync(command, args, {
    cwd: manualsFolder,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 600_000,
  })

/** Under another name until it is whole, so that an interrupted run leaves no half manual. */
function unpack(archive, folder) {
  const half = `${folder}.part`
  rmSync(half, { recursive: true, force: true })
  run('dpkg', ['-x', archive, half])
  rmSync(`${manualsFolder}/${archive}`)
  renameSync(half, folder)
}

mkdirSync(manualsFolder, { recursive: true })
console.log('| manual | pages | MB of HTML |\n|---|---|---|')
for (const tree of trees) {
  if (wanted.length > 0 && !wanted.includes(tree.package)) continue
  try {
    if (!existsSync(folderOf(tree))) unpack(download(tree.package, manualsFolder), folderOf(tree))
    const pages = pagesOf(tree)
    const bytes = pages.reduce(
      (sum, page) => sum + statSync(`${folderOf(tree)}/${tree.root}/${page}`).size,
      0,
    )
    console.log(`| ${tree.package} | ${pages.length} | ${(bytes / 1e6).toFixed(1)} |`)
  } catch (error) {
    console.error(`${tree.package} could not be fetched: ${error.message.split('\n')[0]}`)
    process.exitCode = 1
  }
}
