// Peak memory of every cleaner on a page of megabytes, above what its process had before: a
// process each, the least of the rounds.
//   node memory.mjs [rounds] [name …]
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { largePages } from '../corpus/corpus.mjs'
import { peers } from './peers.mjs'

const here = fileURLToPath(import.meta.url)
const longestRun = 180_000

/** MB above the start, by cleaner; undefined where it did not end in time or failed. */
export function memory(rounds, names) {
  const [page] = largePages()
  const runs = Array.from({ length: rounds }, () => names.map((name) => peak(name, page.file)))
  return names.map((name, index) => {
    const peaks = runs.map((run) => run[index]).filter((megabytes) => megabytes !== undefined)
    return { name, megabytes: peaks.length > 0 ? Math.min(...peaks) : undefined }
  })
}

function peak(name, file) {
  try {
    return Number(
      execFileSync(process.execPath, [here, '--one', name, file], {
        timeout: longestRun,
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    )
  } catch {
    return undefined
  }
}

async function one(name, file) {
  const html = readFileSync(file, 'utf8')
  const before = process.memoryUsage().rss
  const markdown = await peers[name](html, 'https://example.org/')
  if (markdown.length < html.length / 20) throw new Error(`${name} lost the page`)
  console.log((process.resourceUsage().maxRSS * 1024 - before) / 2 ** 20)
}

export const memoryTable = (table) =>
  [
    '| cleaner | MB above start |',
    '|---|---|',
    ...table.map(({ name, megabytes }) => `| ${name} | ${megabytes?.toFixed(0) ?? '–'} |`),
  ].join('\n')

if (process.argv[1] === here) {
  if (process.argv[2] === '--one') await one(...process.argv.slice(3))
  else {
    const [rounds = '3', ...names] = process.argv.slice(2)
    console.log(memoryTable(memory(Number(rounds), names.length > 0 ? names : Object.keys(peers))))
  }
}
