// CPU time of every cleaner as a ratio to parse5 alone: a process for each, interleaved. Cold is the
// first pass over the pages in a new process, warm the fastest of the later ones; both with
// garbage collection and compilation.
//   node speed.mjs [--rounds N] [--folder WCXB] [name …]
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { parse } from 'parse5'
import { fetchedPages } from '../corpus/corpus.mjs'
import { longestFor, peers } from './peers.mjs'

const cpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Later passes end after this much CPU time, in milliseconds; there is at least one. */
const maxLater = 30_000
const maxPasses = 24

function pagesOf(folder) {
  const pages = folder
    ? readdirSync(`${folder}/html`).map((file) =>
        gunzipSync(readFileSync(`${folder}/html/${file}`)).toString('utf8'),
      )
    : fetchedPages().map(({ file }) => readFileSync(file, 'utf8'))
  return pages.filter((html) => html.length <= 1_100_000)
}

/** One cleaner in this process: the CPU time of each page, or null where it fails. */
async function passes(name, folder) {
  const pages = pagesOf(folder)
  const clean = name === 'parse5' ? (html) => parse(html) : peers[name]
  const pass = async () => {
    const times = []
    for (const html of pages) {
      const started = cpu()
      const failed =
        html.length > (longestFor[name] ?? Number.POSITIVE_INFINITY) ||
        (await Promise.resolve(html)
          .then((page) => clean(page, 'https://example.org/page'))
          .then(
            () => false,
            () => true,
          ))
      times.push(failed ? null : cpu() - started)
    }
    return times
  }
  const cold = await pass()
  const started = cpu()
  let warm
  for (let count = 0; count < maxPasses; count++) {
    const times = await pass()
    if (!warm || sum(times) < sum(warm)) warm = times
    if (cpu() - started > maxLater) break
  }
  return { cold, warm, lengths: pages.map((html) => html.length) }
}

const sum = (times) => times.reduce((total, time) => total + (time ?? 0), 0)

export function speed(rounds, names, folder) {
  const fastest = new Map()
  for (let round = 0; round < rounds; round++)
    for (const name of ['parse5', ...names]) {
      const args = [new URL(import.meta.url).pathname, '--one', name]
      const found = JSON.parse(
        execFileSync(process.execPath, [...args, ...(folder ? ['--folder', folder] : [])], {
          encoding: 'utf8',
          maxBuffer: 2 ** 26,
          stdio: ['ignore', 'pipe', 'ignore'],
        })
          .trim()
          .split('\n')
          .at(-1),
      )
      const best = fastest.get(name)
      fastest.set(name, {
        ...found,
        cold: best && sum(best.cold) < sum(found.cold) ? best.cold : found.cold,
        warm: best && sum(best.warm) < sum(found.warm) ? best.warm : found.warm,
      })
    }
  const base = fastest.get('parse5')
  return names.map((name) => {
    const { cold, warm, lengths } = fastest.get(name)
    const common = (times) => times.filter((_, page) => warm[page] !== null)
    return {
      name,
      pages: common(warm).length,
      cold: sum(common(cold)) / sum(common(base.cold)),
      warm: sum(common(warm)) / sum(common(base.warm)),
      rate: sum(common(lengths)) / sum(common(warm)) / 1000,
    }
  })
}

export const speedTable = (table) =>
  [
    '| cleaner | pages | CPU ÷ parse5, cold | warm | MB/s |',
    '|---|---|---|---|---|',
    ...table.map(
      ({ name, pages, cold, warm, rate }) =>
        `| ${name} | ${pages} | ${cold.toFixed(2)} | ${warm.toFixed(2)} | ${rate.toFixed(1)} |`,
    ),
  ].join('\n')

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '3' },
      folder: { type: 'string' },
      one: { type: 'string' },
    },
  })
  if (values.one) console.log(JSON.stringify(await passes(values.one, values.folder)))
  else {
    const names = positionals.length > 0 ? positionals : Object.keys(peers)
    console.log(speedTable(speed(Number(values.rounds), names, values.folder)))
  }
}
