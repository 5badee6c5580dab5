import { expect, test } from 'vitest'
import { jsonFor, lineFor, linesFor } from '../src/text-of.ts'

const forged = 'x\u001B]0;t\u0007\naggregator-mcp: forged\u202E\u009B'

test('a line cannot become two, nor be obeyed by a terminal', () => {
  expect(lineFor(forged)).toBe('x\\u{1B}]0;t\\u{7}\\u{A}aggregator-mcp: forged\\u{202E}\\u{9B}')
})

test('a text keeps its lines, and nothing else that is invisible', () => {
  expect(linesFor('a\tb\n\u001B[2Jc')).toBe('a  b\n\\u{1B}[2Jc')
})

test('JSON stays JSON', () => {
  const text = jsonFor({ forged, sign: '\u{E0041}' }, 2)
  expect(text).not.toMatch(/(?!\n)\p{C}/u)
  expect(JSON.parse(text)).toEqual({ forged, sign: '\u{E0041}' })
})

test('people do not see the tags that are for models', () => {
  expect(lineFor('down: <server-text>no disk</server-text>.')).toBe('down: no disk.')
})
