import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runGraph } from '../../../src/tools/batch/run-graph.ts'

const signal = new AbortController().signal
const node = (id: string, ...after: string[]) => ({ id, after })

test('dependents of a failure are skipped and say so, the others are done', async () => {
  const outcomes = await runGraph(
    [node('a'), node('b', 'a'), node('c', 'b'), node('d')],
    async ({ id }) => {
      if (id === 'a') throw new Error('no')
      return id
    },
    { maxConcurrency: 2, signal },
  )
  expect(Object.fromEntries(outcomes)).toEqual({
    a: { state: 'failed', error: new Error('no') },
    b: { state: 'skipped', because: 'a failed' },
    c: { state: 'skipped', because: 'b was skipped' },
    d: { state: 'done', result: 'd' },
  })
})

test('giving up stops what has not begun', async () => {
  const controller = new AbortController()
  const begun: string[] = []
  const outcomes = await runGraph(
    [node('a'), node('b'), node('c', 'a')],
    async ({ id }) => {
      begun.push(id)
      controller.abort()
      return id
    },
    { maxConcurrency: 1, signal: controller.signal },
  )
  expect(begun).toEqual(['a'])
  expect(outcomes.get('a')).toEqual({ state: 'done', result: 'a' })
  expect(outcomes.get('c')).toEqual({ state: 'skipped', because: 'the batch was cancelled' })
})

const graph = fc
  .array(fc.array(fc.nat(30), { maxLength: 4 }), { minLength: 1, maxLength: 30 })
  .map((all) =>
    all.map((after, index) => ({
      id: `n${index}`,
      after: [...new Set(after.filter((one) => one < index).map((one) => `n${one}`))],
    })),
  )

test('each is done once, after those it waits for, never more than allowed at once', async () => {
  await fc.assert(
    fc.asyncProperty(graph, fc.integer({ min: 1, max: 8 }), async (nodes, maxConcurrency) => {
      const done = new Set<string>()
      let running = 0
      let most = 0
      await runGraph(
        nodes,
        async ({ id, after }) => {
          expect(after.every((one) => done.has(one))).toBe(true)
          most = Math.max(most, ++running)
          await Promise.resolve()
          running--
          done.add(id)
        },
        { maxConcurrency, signal },
      )
      expect(done.size).toBe(nodes.length)
      expect(most).toBeLessThanOrEqual(maxConcurrency)
    }),
  )
})
