import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const { clocksByFile } = (await import(
  new URL('../scripts/house/clocks.mjs', import.meta.url).href
)) as {
  clocksByFile: () => Record<string, number>
}

/**
 * How many clocks a file reads, by what most of them are for: a `deadline` that a person or a peer is
 * promised, a `time` that is kept or shown, a `pace`. `work` are the two files that limit it.
 */
const classes: Record<string, Record<string, number>> = JSON.parse(
  readFileSync('scripts/house/clocks.json', 'utf8'),
)

/** A limit of work is of processor time or of steps, so that a busy machine does the same work. */
test('each clock is a deadline, a time that is kept or shown, or a pace, and none limits work', () => {
  expect(
    clocksByFile(),
    'Limit work with createWorkLimit or processorTimeout of packages/base; class other clocks in scripts/house/clocks.json.',
  ).toEqual(Object.assign({}, ...Object.values(classes)))
})
