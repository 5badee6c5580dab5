import { afterEach, expect, test } from 'vitest'
import { releaseMemoryWhenIdle } from '../src/release-memory.ts'

const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
})

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('memory is given back once it is quiet, and again only after it has grown', async () => {
  let megabytes = 100
  let collected = 0
  const collector = () => () => {
    collected++
    megabytes = 80
  }
  endings.push(releaseMemoryWhenIdle({ everyMs: 100, rss: () => megabytes * 2 ** 20, collector }))
  const busyUntil = performance.now() + 450
  while (performance.now() < busyUntil) {
    const until = performance.now() + 20
    while (performance.now() < until);
    await sleep(1)
  }
  expect(collected).toBe(0)
  await sleep(700)
  expect(collected).toBe(1)
  megabytes = 120
  await sleep(700)
  expect(collected).toBe(2)
})

test('the collector of V8 can be called', async () => {
  let reads = 0
  endings.push(releaseMemoryWhenIdle({ everyMs: 50, rss: () => ++reads * 2 ** 30 }))
  await sleep(700)
  // Once to compare, once after it.
  expect(reads).toBeGreaterThan(1)
})
