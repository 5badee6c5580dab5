import type { JournalLine } from '@pith-mcp/aggregator'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLiveFeed } from '../server/api/live/live-feed.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Server = ReturnType<Parameters<typeof createLiveFeed>[0]['servers']>[number]

const line = { time: '', kind: 'call', outcome: 'ok' } as JournalLine
const serverOf = (unit: string, calls: number) => ({ unit, calls }) as unknown as Server

function open() {
  const world = { servers: [serverOf('a', 0), serverOf('b', 0)], pins: 1, looks: 0 }
  const feed = createLiveFeed({
    servers() {
      world.looks++
      return world.servers
    },
    versions: () => ({ pins: world.pins }),
  })
  const heard: { event: string; data: Record<string, unknown> }[] = []
  const stop = feed.watch((text) => {
    const [, event = '', data = '{}'] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(text) ?? []
    if (event !== '') heard.push({ event, data: JSON.parse(data) as Record<string, unknown> })
  })
  return { world, feed, heard, stop }
}

test('lines come together, and those that are too many are counted', () => {
  const { feed, heard } = open()
  for (let index = 0; index < 100; index++) feed.record(line)
  vi.advanceTimersByTime(300)
  expect(heard).toHaveLength(1)
  expect(heard[0]?.data).toMatchObject({ skipped: 75, calls: 100 })
  expect(heard[0]?.data['lines']).toHaveLength(25)
  vi.advanceTimersByTime(300)
  expect(heard).toHaveLength(1)
})

test('only servers that changed are told', () => {
  const { world, heard } = open()
  vi.advanceTimersByTime(3_000)
  expect(heard).toEqual([])
  world.servers = [serverOf('a', 0), serverOf('b', 1)]
  vi.advanceTimersByTime(1_500)
  expect(heard).toEqual([{ event: 'servers', data: { servers: [{ unit: 'b', calls: 1 }] } }])
})

test('a server more or less is a change of the configuration', () => {
  const { world, heard } = open()
  world.servers = [serverOf('a', 0)]
  vi.advanceTimersByTime(1_500)
  expect(heard).toEqual([{ event: 'changed', data: { what: ['config'] } }])
})

test('what others change is told', () => {
  const { world, heard } = open()
  world.pins = 2
  vi.advanceTimersByTime(1_500)
  expect(heard).toEqual([{ event: 'changed', data: { what: ['pins'] } }])
})

test('nothing is looked at while nobody watches', () => {
  const { world, stop } = open()
  stop()
  const before = world.looks
  vi.advanceTimersByTime(10_000)
  expect(world.looks).toBe(before)
})
