import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The benchmarks have no types of their own. */
const load = (name: string) =>
  import(new URL(`../bench/evidence/${name}.mjs`, import.meta.url).href)
type Sentence = (figure: (id: string, row: string, column: string) => string) => string
interface Record {
  command: string
  date: string
  machine: string
  tables: { head: string[]; rows: string[][] }[]
}
const { claims } = (await load('claims')) as { claims: { paths: string[]; sentence: Sentence }[] }
const { patternOf, textsWith } = (await load('texts')) as {
  patternOf: (sentence: Sentence) => RegExp
  textsWith: (
    figure: (id: string, row: string, column: string) => string,
    records: { [id: string]: Record },
    root: string,
  ) => Map<string, string>
}
const { figureOf, readRecords } = (await load('records')) as {
  figureOf: (records: {
    [id: string]: Record
  }) => (id: string, row: string, column: string) => string
  readRecords: () => { [id: string]: Record }
}
const { runs } = (await load('runs')) as { runs: { [id: string]: { data: string } } }

const records = readRecords()

test('texts state the figures that the benchmarks printed', () => {
  for (const [path, text] of textsWith(figureOf(records), records, ''))
    expect(readFileSync(path, 'utf8'), `${path}: pnpm evidence --write`).toBe(text)
})

test('another figure is not what the texts state', () => {
  const figure = (...cell: [string, string, string]) => `${figureOf(records)(...cell)}1`
  const texts = textsWith(figure, records, '')
  expect(texts.get('README.md')).not.toBe(readFileSync('README.md', 'utf8'))
})

test('every run has its command, date, machine and data', () => {
  expect(Object.keys(records).sort()).toEqual(Object.keys(runs).sort())
  for (const [id, { command, date, machine, tables }] of Object.entries(records)) {
    expect(command, id).toMatch(/^cd \S+ && node \S+/)
    expect(date, id).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(machine, id).not.toBe('')
    expect(tables.length, id).toBeGreaterThan(0)
    expect(runs[id]?.data, id).toMatch(/\.$/)
  }
})

/** Figures that were measured: what a person would compare, not what is set or counted in the text. */
const measured = /\*{0,2}\d[\d,.]*\*{0,2} (?:%|tokens?|MB|GB|kB|ms|s|times|characters)(?![\w-])/g
/** Sizes that are set: of windows of the comparison. */
const isSet = /^10,000 characters$/

test.for(['README.md', 'docs/index.md', 'docs/start/agent.md', 'docs/start/team.md'])(
  'every figure of %s is one of the benchmarks',
  (path) => {
    let text = readFileSync(path, 'utf8')
    for (const { paths, sentence } of claims)
      if (paths.includes(path)) text = text.replace(patternOf(sentence), '')
    expect(text.match(measured)?.filter((figure) => !isSet.test(figure)) ?? []).toEqual([])
  },
)
