// Makes the page of numbers of the manual from the tables that the benchmarks wrote into README.md
// next to this file: Pith, the best alternative, and the command that measures both.
// `node bench/numbers.mjs` prints it, `node bench/numbers.mjs --write` writes docs/numbers.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readTables, tableText } from './evidence/tables.mjs'

const path = (file) => fileURLToPath(new URL(file, import.meta.url))

/**
 * `better` is the direction. `ours` is the beginning of Pith's row, the same for all figures of a
 * topic. `not` matches rows that are not alternatives. A row with another number in the column `same`
 * did less work and is not compared.
 */
const topics = [
  {
    title: 'Whole sessions',
    ours: 'Pith, meta',
    not: /^Pith/,
    command: 'cd bench/aggregator && npm install && node sessions.mjs',
    remark:
      'The tasks of LiveMCPBench and of tokbench, replayed without a model. Each request carries the system prompt, the tool list, and all that was written and returned before. With many servers, Pith costs least. It costs more with only the servers that a task uses, and with the few tools of tokbench. Finding a tool is a request of its own. There, `--mode full` costs what the servers cost. A client that loads definitions on demand saves most of the same without Pith.',
    figures: [
      ['tokens a task, 70 servers', 'Whole sessions', 'tokens a task, all 70 servers', 'less'],
      [
        'tokens a task, its own servers only',
        'Whole sessions',
        'tokens a task, the servers of the task',
        'less',
      ],
      ['tokens a phase of tokbench', 'Whole sessions', 'tokens a task, tokbench', 'less'],
    ],
  },
  {
    title: 'Reading pages',
    ours: '@pith-mcp/cleaner',
    command: 'cd bench/cleaner && npm install && node report.mjs',
    same: 'pages',
    remark:
      '88 pages of 32 generators, with content marked by hand. The rules of the cleaner were tuned on these pages: expect slightly worse results on others, as on the pages of WCXB. Not compared is node-html-markdown, which reads only 58 of the pages. The fastest is mdream, but it does not look for the content. The time of parse5 itself varies by a factor of 1.7 between runs; in other runs Pith takes 1.05 to 1.10 times its time.',
    figures: [
      ['words of the content kept, %', 'Faithful and minimal', 'recall', 'more'],
      ['words that are content, %', 'Faithful and minimal', 'precision', 'more'],
      ['code blocks verbatim, %', 'Faithful and minimal', 'code', 'more'],
      ['rows of tables kept, %', 'Faithful and minimal', 'rows', 'more'],
      ['duplicated lines', 'Faithful and minimal', 'duplicated', 'less'],
      ['tokens ÷ tokens of the content', 'Faithful and minimal', 'tokens', 'less'],
      ['word-F1 on pages of the web (WCXB)', 'On pages of the web', 'F1', 'more'],
      ['CPU ÷ the parser alone, warm', 'Speed', 'warm', 'less'],
      ['memory for a page of 5.85 MB, MB', 'Memory', 'MB above start', 'less'],
    ],
  },
  {
    title: 'Answering from documentation',
    ours: 'D: search_docs + get_doc_section',
    command: 'cd bench/docs && npm install && node flows.mjs',
    same: 'section whole',
    remark:
      'Ten questions about ten reference pages. Only ways of reading that returned the section whole each time are compared. The alternatives are not products. Like fetch tools, they clean the page and return a fixed number of characters at a time.',
    figures: [
      ['calls until the section is whole', 'What a question costs', 'calls', 'less'],
      ['tokens until the section is whole', 'What a question costs', 'tokens', 'less'],
    ],
    not: /^([A-DW]: |P\d: the same)/,
  },
  {
    title: 'Questions to manuals, held out',
    ours: 'docs-mcp: search, sections',
    command: 'cd bench/docs && npm install && cd tasks && node manuals.mjs && node run.mjs --last',
    remark:
      '48 questions about six manuals that nothing was tuned on, asked without rephrasing. Each is a search, then the sections of the first three results, at most six calls. Most questions use other words than the manual, so these are lower bounds. With two more wordings, written by a reader of the question alone, the first reply answers 89.6 %. With the call that it names, it is 95.8 %, for 906 tokens. A reader who knows the right page and reads it in windows of 5,000 characters finds 79.2 % of the answers, with 8,915 tokens.',
    figures: [
      [
        'answered by the first reply, %',
        'Questions to manuals that were held out',
        'first reply %',
        'more',
      ],
      ['answered, %', 'Questions to manuals that were held out', 'answered %', 'more'],
      [
        'right section in the first five, %',
        'Questions to manuals that were held out',
        'section@5',
        'more',
      ],
      ['tokens per question', 'Questions to manuals that were held out', 'tokens', 'less'],
    ],
    not: /^(docs-mcp|sections, before|the right page)/,
  },
  {
    title: 'Questions to eight fresh manuals',
    ours: 'docs-mcp: search, its next call',
    command: 'cd bench/docs && npm install && cd tasks && node manuals.mjs && node run.mjs --fresh',
    remark:
      '48 questions, written before the first run by a reader of the manuals. A quarter each is in other words, about a symptom, plain, and about a name. Pith makes one search and the call that its last line names, the alternatives at most six calls. With two wordings next to the query, the first reply answers 75.0 % and both calls 85.4 %, for 998 tokens. Two settings were chosen with these totals and the totals of the other questions.',
    figures: ['first reply %', 'answered %', 'section@5', 'tokens'].map((column, at) => [
      [
        'answered by the first reply, %',
        'answered, %',
        'right section in the first five, %',
        'tokens per question',
      ][at],
      'Questions to eight fresh manuals',
      column,
      column === 'tokens' ? 'less' : 'more',
    ]),
    not: /^(docs-mcp|the right page)/,
  },
  {
    title: 'The index of six manuals, 140,006 sections',
    ours: 'Pith',
    command: 'node bench/docs/index.mjs, after manuals.mjs, sections.mjs and queries.mjs',
    remark:
      'MiniSearch and Orama use field weights and stop words that were selected for them. Orama was measured in the previous run.',
    figures: [
      ['start to the first result, ms', 'The index', 'start to first result ms', 'less'],
      ['memory after 40 s of queries, MB', 'The index', 'MB after 40 s of queries', 'less'],
      ['queries as agents ask, right in the first five, %', 'The index', 'agent', 'more'],
      ['mistyped queries, right in the first five, %', 'The index', 'mistyped', 'more'],
    ],
  },
  {
    title: 'Finding a tool, LiveMCPBench, 527 tools',
    ours: 'livemcp_agentq_dev, 527 | @pith-mcp/scorer',
    command: 'cd bench/scorer && npm install && node run.mjs <folder of the sets> 400',
    rows: 'livemcp_agentq_dev',
    remark:
      'The setting of the scorer was tuned on this set among others: expect slightly worse results on other sets. The rows of Pith are from a later run than the other rows.',
    figures: [
      ['nDCG@10', 'Finding tools and sections', 'nDCG@10', 'more'],
      ['one query, ms', 'Finding tools and sections', 'query ms', 'less'],
    ],
  },
  {
    title: 'Many servers behind one endpoint',
    ours: 'aggregator-mcp meta',
    command: 'cd bench/aggregator && npm install && node run.mjs',
    not: /^(direct|Node alone|aggregator-mcp)/,
    remark:
      'Three alternatives are installed by npm: mcporter, mcp-hub and slop-mcp, a Go binary. Two are built from their repositories: mcp-funnel and 1MCP. Products that need a database, a container or another installer were not measured. Note that mcp-funnel keeps no journal, and checks and pages nothing.',
    figures: [
      ['processor time of a call, stdio, ms', 'Calls', 'CPU ms a call', 'less'],
      ['overhead of a call, stdio, ms', 'Calls', 'over direct, ms', 'less'],
      ['calls/s over stdio, 16 in flight', 'Calls', 'calls/s, 16 in flight', 'more'],
      ['idle with eight servers, MB', 'Start and memory', 'idle, MB', 'less'],
      ['after 5,000 calls, MB', 'Start and memory', 'after 5,000 calls, MB', 'less'],
      ['tokens of the list of 120 tools', 'What the tools cost', 'tokens of tools/list', 'less'],
      [
        'first echo next to three broken servers, ms',
        'Broken servers',
        'beside three broken',
        'less',
      ],
    ],
  },
  {
    title: 'Functions',
    ours: 'find_function',
    command: 'cd bench/code && npm install && node fetch.mjs && node flows.mjs',
    not: /^the function itself/,
    remark:
      '28 functions of 12 to 43,914 lines, half of them in files of 9 MB. The alternatives are ways of reading with a shell. Serena and code-index-mcp could not be installed on the measuring machine.',
    figures: [
      [
        'tokens ÷ tokens of the function, median',
        'What a function costs',
        '× the function, median',
        'less',
      ],
    ],
  },
]

function topicText({ title, command, remark, figures, ...which }) {
  const rows = figures.map(([name, heading, column, better]) => {
    const { ours, best } = pick(heading, column, better, which)
    return [name, ours.value, best.value, best.name]
  })
  const head = ['', 'Pith', 'best alternative', 'name']
  return `## ${title}\n\n${remark}\n\n${tableText({ head, rows })}\n\n\`${command}\``
}

/** Pith's first row and the best other row in the first table below the heading with that column. */
function pick(heading, column, better, { ours, not, same, rows: only = '' }) {
  const table = tables.get(heading)?.find(({ head }) => head.includes(column))
  if (!table) throw new Error(`bench/README.md has no column “${column}” below “${heading}”.`)
  const at = table.head.indexOf(column)
  const sameAt = table.head.indexOf(same)
  const rows = table.rows
    .map((cells) => ({
      name: nameOf(cells),
      value: cells[at],
      number: numberOf(cells[at]),
      did: sameAt < 0 ? undefined : numberOf(cells[sameAt]),
    }))
    .filter(({ name, number }) => name.startsWith(only) && !Number.isNaN(number))
  const mine = rows.find(({ name }) => name.startsWith(ours))
  const best = rows
    .filter(({ name, did }) => !name.startsWith(ours) && !not?.test(name) && did === mine?.did)
    .sort((a, b) => (better === 'more' ? b.number - a.number : a.number - b.number))[0]
  if (!mine || !best) throw new Error(`“${heading}” has no row of Pith, or no other row.`)
  return { ours: mine, best: { ...best, name: best.name.replace(/^.* \| /, '') } }
}

/** A row that begins with the name of a set has the library in its second cell. */
const nameOf = ([first, second]) => (/^[\w-]+, \d+$/.test(first) ? `${first} | ${second}` : first)
const numberOf = (cell = '') =>
  Number.parseFloat(cell.replaceAll(',', '').replace('−', '-').replace(/^> /, '') || 'NaN')

function tablesByHeading(markdown) {
  const found = new Map()
  for (const part of markdown.split(/^(?=#{2,3} )/m)) {
    const heading = /^#+ (.*)/.exec(part)?.[1]
    found.set(heading, readTables(part))
  }
  return found
}

const tables = tablesByHeading(readFileSync(path('README.md'), 'utf8'))
const page = `${[
  '# Numbers',
  'Compare each measurement of Pith with the best alternative, also where the alternative is better. The command below each table runs it again.\n\nBoth figures are from the same run unless noted. [The benchmarks](../bench/README.md) have all contenders, the data and the method. Times depend on the machine (two cores), ratios hardly.',
  ...topics.map(topicText),
].join('\n\n')}\n`

if (process.argv.includes('--write')) writeFileSync(path('../docs/numbers.md'), page)
else process.stdout.write(page)
