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
  sessions: {
    folder: 'bench/aggregator',
    args: ['sessions.mjs'],
    data: 'The 95 tasks of the public run of LiveMCPBench, and five native runs of tokbench. First pages were chosen on half of the former.',
  },
  shared: {
    folder: 'bench/aggregator',
    args: ['shared.mjs'],
    data: 'Twenty sessions, each of which calls ten servers that do nothing.',
  },
  meter: {
    folder: 'bench/aggregator',
    args: ['tokbench.mjs'],
    data: 'The 14 confirmatory runs of tokbench. Nothing was tuned on them.',
  },
  servers: {
    folder: 'bench/aggregator',
    args: ['run.mjs', 'memory'],
    data: 'Eight servers: two each of four public ones.',
  },
}

/** What npm start prints as JSON: how long it took, what it takes on disk, and what a model reads. */
function readStart(output) {
  const { seconds, here, cache = 0, texts } = JSON.parse(output)
  const [whole, pith] = [texts.at(-2), texts.at(-1)]
  const saved = Math.round((1 - pith.tokens / whole.tokens) * 100)
  const row = ({ name, characters, tokens }, last) => [
    name,
    characters.toLocaleString('en-US'),
    tokens.toLocaleString('en-US'),
    last,
  ]
  return [
    {
      head: ['', 'seconds', 'MB'],
      rows: [['npm start', `${Math.round(seconds)}`, `${Math.round((here + cache) / 1e6)}`]],
    },
    {
      head: ['', 'characters', 'tokens', 'saved %'],
      rows: [row(whole, ''), row(pith, `${saved}`)],
    },
  ]
}
