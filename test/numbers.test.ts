import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the page of numbers is what the tables of the benchmarks say', () => {
  const printed = execFileSync(process.execPath, ['bench/numbers.mjs'], { encoding: 'utf8' })
  expect(readFileSync('docs/numbers.md', 'utf8')).toBe(printed)
})

test.for([
  [
    'many servers',
    /120 tools costs (\S+) tokens instead of (\S+),/,
    [/^\| aggregator-mcp meta \| 5 +\| (\S+)/m, /^\| direct +\| 120 +\| (\S+)/m],
  ],
  [
    'code',
    /in (\S+) times its own tokens\..* it is (\S+) times/,
    [
      /^\| find_function \+ get_function_chunk, all pages +\| \S+ +\| (\S+)/m,
      /^\| grep for the name \+ windows of 200 lines from it +\| \S+ +\| (\S+)/m,
    ],
  ],
] as const)(
  'the front page of the manual has the figures of the benchmark: %s',
  ([, sentence, rows]) => {
    const bench = readFileSync('bench/README.md', 'utf8')
    const figures = sentence.exec(readFileSync('docs/index.md', 'utf8'))?.slice(1)
    expect(figures).toEqual(rows.map((row) => row.exec(bench)?.[1]))
  },
)
