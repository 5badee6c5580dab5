// CPU time of every cleaner as a ratio to parse5 alone: a process for each, interleaved. Cold is the
// first pass of a process over all pages, as a user pays it; warm the median of passes 10 to 20 over
// the corpus, or over the folder. Garbage collection and compilation count. Each ratio is the median
// over the rounds.
//   node speed.mjs [--rounds N] [--folder WCXB] [name …]
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { parse } from 'parse5'
import { fetchedPages } from '../corpus/corpus.mjs'
import { manualPages } from './ledger.mjs'
import { longestFor, peers } from './peers.mjs'

const cpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Warm passes; a cleaner that needs more CPU time for them, in milliseconds, has no warm figure. */
const [firstWarm, lastWarm] = [10, 20]
const maxLater = 120_000

const short = (pages) => pages.filter((html) => html.length <= 1_100_000)

/** Pages of the passes after the first: the corpus, or those of a folder. */
const warmPages = (folder) =>
  short(
    folder
      ? readdirSync(`${folder}/html`).map((file) =>
          gunzipSync(readFileSync(`${folder}/html/${file}`)).toString('utf8'),
        )
      : fetchedPages().map(({ file }) => readFileSync(file, 'utf8')),
  )

/** Without a folder, manuals of which nobody here has looked at most pages: some 500 in all. */
const coldPages = (folder) => [
  ...warmPages(folder),
  ...(folder ? [] : short(manualPages().map(({ html }) => html))),
]

/** One cleaner in this process: the CPU time of each page, or null where it fails. */
async function passes(name, folder) {
  const clean = name === 'parse5' ? (html) => parse(html) : peers[name]
  const pass = async (pages) => {
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
  const pages = coldPages(folder)
  const cold = await pass(pages)
  const again = warmPages(folder)
  const started = cpu()
  const later = []
  while (later.length < lastWarm - 1 && cpu() - started < maxLater) later.push(await pass(again))
  const warm = later.slice(firstWarm - 2).sort((a, b) => sum(a) - sum(b))
  const isWhole = later.length === lastWarm - 1
  return {
    cold,
    warm: isWhole ? warm[Math.floor(warm.length / 2)] : undefined,
    lengths: again.map((html) => html.length),
  }
}

const sum = (times) => times.reduce((total, time) => total + (time ?? 0), 0)

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]

function passesInProcess(name, folder) {
  const args = [new URL(import.meta.url).pathname, '--one', name]
  const output = execFileSync(
    process.execPath,
    [...args, ...(folder ? ['--folder', folder] : [])],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  return JSON.parse(output.trim().split('\n').at(-1))
}

export function speed(rounds, names, folder) {
  const all = Array.from({ length: rounds }, () =>
    Object.fromEntries(['parse5', ...names].map((name) => [name, passesInProcess(name, folder)])),
  )
  return names.map((name) => {
    const ratios = (phase) =>
      all.flatMap((round) => {
        const [own, base] = [round[name][phase], round.parse5[phase]]
        if (!own || !base) return []
        const common = (times) => sum(times.filter((_, page) => own[page] !== null))
        return [common(own) / common(base)]
      })
    const rates = all.flatMap((round) => {
      const { warm, lengths } = round[name]
      return warm ? [sum(lengths.filter((_, page) => warm[page] !== null)) / sum(warm) / 1000] : []
    })
    return {
      name,
      // Of the warm passes; those of the cold one are more.
      pages: all[0][name].lengths.length,
      cold: median(ratios('cold')),
      warm: median(ratios('warm')),
      rate: median(rates),
    }
  })
}

const figure = (value, digits) => (value === undefined ? '–' : value.toFixed(digits))

export const speedTable = (table) =>
  [
    '| cleaner | pages | CPU ÷ parse5, cold | warm | MB/s |',
    '|---|---|---|---|---|',
    ...table.map(
      ({ name, pages, cold, warm, rate }) =>
        `| ${name} | ${pages} | ${figure(cold, 2)} | ${figure(warm, 2)} | ${figure(rate, 1)} |`,
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
