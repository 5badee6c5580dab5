import { expect, test } from 'vitest'
import { listOf, readRecorded } from '../../src/meter/recorded.ts'

const at = (second: number): string => new Date(1.7e12 + second * 1_000).toISOString()

const list = (session: string, second: number, sentTokens = 600, resultTokens = 9_000) => ({
  ...{ time: at(second), kind: 'list' as const, session, client: 'claude-code' },
  ...{ outcome: 'ok', sentTokens, resultTokens },
})

async function* linesOf<T>(lines: readonly T[]) {
  yield* lines
}

test('a session has the last list before it, in whatever order files are read', async () => {
  const { lists } = await readRecorded(
    linesOf([list('late', 100), list('early', 10), list('early', 12, 0, 500)]),
  )
  expect(lists.map(({ session, full }) => [session, full])).toEqual([
    ['early', 9_500],
    ['late', 9_000],
  ])
  const taken = new Set<(typeof lists)[number]>()
  const found = (second: number, isKnown: boolean) =>
    listOf(lists, { client: 'claude-code', start: Date.parse(at(second)), isKnown }, taken)?.session
  expect(found(105, true)).toBe('late')
  expect(found(700, false)).toBeUndefined()
  expect(found(20, false)).toBe('early')
  expect(found(20, true)).toBeUndefined()
})
