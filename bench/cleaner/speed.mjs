// CPU time of every cleaner as a ratio to parse5 alone, page by page, interleaved in one process.
//   node speed.mjs [rounds] [name …]
import { readFileSync } from 'node:fs'
import { parse } from 'parse5'
import { fetchedPages } from '../corpus/corpus.mjs'
import { longestFor, peers } from './peers.mjs'

const cpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The least of the rounds: what the work takes when nothing else disturbs it. */
export async function speed(rounds, names) {
  const pages = fetchedPages()
    .map((page) => ({ ...page, html: readFileSync(page.file, 'utf8') }))
    .filter(({ html }) => html.length <= 1_200_000)
  const cleaners = {
    parse5: (html) => parse(html),
    ...Object.fromEntries(names.map((name) => [name, peers[name]])),
  }
  const best = new Map()
  for (let round = 0; round < rounds; round++)
    for (const page of pages)
      for (const [name, clean] of Object.entries(cleaners)) {
        if (page.html.length > (longestFor[name] ?? Number.POSITIVE_INFINITY)) continue
        const started = cpu()
        try {
          await clean(page.html, `https://example.org/${page.page}`)
        } catch {
          continue
        }
        const key = `${name}\0${page.path}`
        best.set(key, Math.min(best.get(key) ?? Number.POSITIVE_INFINITY, cpu() - started))
      }
  return names.map((name) => {
    const common = pages.filter((page) => best.has(`${name}\0${page.path}`))
    const sum = (of) => common.reduce((total, page) => total + best.get(`${of}\0${page.path}`), 0)
    return {
      name,
      pages: common.length,
      ratio: sum(name) / sum('parse5'),
      rate: common.reduce((total, { html }) => total + html.length, 0) / sum(name) / 1000,
    }
  })
}

export const speedTable = (table) =>
  [
    '| cleaner | pages | CPU ÷ parse5 | MB/s |',
    '|---|---|---|---|',
    ...table.map(
      ({ name, pages, ratio, rate }) =>
        `| ${name} | ${pages} | ${ratio.toFixed(2)} | ${rate.toFixed(1)} |`,
    ),
  ].join('\n')

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [rounds = '5', ...names] = process.argv.slice(2)
  console.log(
    speedTable(await speed(Number(rounds), names.length > 0 ? names : Object.keys(peers))),
  )
}
