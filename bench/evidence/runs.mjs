/**
 * The benchmarks whose figures are stated. `data` says on what they are taken, and whether anything
 * was tuned on it. `read` gets the tables out of what a run prints, if they are not Markdown.
 */
export const runs = {
  start: {
    folder: '.',
    args: ['scripts/record-start.mjs'],
    data: 'A fresh copy with empty caches. The question was chosen for the picture.',
    read: readStart,
  },
  pages: {
    folder: 'bench/cleaner',
    args: ['quality.mjs'],
    data: '88 pages of 32 generators. The rules were tuned on them.',
  },
  documentation: {
    folder: 'bench/docs',
    args: ['flows.mjs'],
    data: 'Ten questions about ten reference pages, written before any flow ran.',
  },
  manuals: {
    folder: 'bench/docs/tasks',
    args: ['run.mjs', '--last'],
    data: '48 questions about six manuals on which nothing was tuned.',
  },
  index: {
    folder: 'bench/docs',
    args: ['index.mjs'],
    data: '140,006 sections of six manuals; Pith was checked against the queries, others tuned on a second set.',
  },
  functions: {
    folder: 'bench/code',
    args: ['flows.mjs'],
    data: '28 functions of four corpora, chosen by their length.',
  },
  tools: {
    folder: 'bench/aggregator',
    args: ['run.mjs', 'tokens'],
    data: '120 synthetic tools of three servers.',
  },
  servers: {
    folder: 'bench/aggregator',
    args: ['run.mjs', 'memory'],
    data: 'Eight servers: two each of four public ones.',
  },
}

/** What npm start prints: how long it took, what it takes on disk, and what a model reads. */
function readStart(output) {
  const ready = /^Ready in (\d+) s\. On disk: (\d+) MB here(?:, (\d+) MB in the package cache)?/m
  const [, seconds, here, cache = 0] = ready.exec(output) ?? []
  const row = /^(the whole page|with Pith).*? ([\d,]+) +([\d,]+)(?: +(\d+) % less)?$/gm
  const rows = [...output.matchAll(row)].map(([, name, ...cells]) => [name, ...cells.map(cellOf)])
  if (seconds === undefined || rows.length < 2) return []
  return [
    {
      head: ['', 'seconds', 'MB'],
      rows: [['npm start', seconds, `${Number(here) + Number(cache)}`]],
    },
    { head: ['', 'characters', 'tokens', 'saved %'], rows },
  ]
}

const cellOf = (cell) => cell ?? ''
