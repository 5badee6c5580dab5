import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as files from '@pith-mcp/base/replace-file'
import { afterEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../../../packages/base/test/temporary-folder.ts'
import { publishProcess, runningProcesses } from '../../src/open/running.ts'

vi.mock('@pith-mcp/base/replace-file', { spy: true })

const state = temporaryFolder()
afterEach(() => vi.useRealTimers())

test('a reader that has the file open reads it whole while it is updated', () => {
  vi.useFakeTimers()
  let calls = 0
  const status = () => [
    { server: { name: 'a' }, sharing: { with: 'all' }, instances: [], calls: ++calls, starts: 1 },
  ]
  const fleet = { status, statusOf: () => status()[0], control: { isStopped: () => false } }
  const catalog = { entryOf: () => undefined }
  const gateway = { clients: { sessions: new Set() }, fleet, catalog, trust: { waiting: () => [] } }
  const published = publishProcess(
    { aggregator: { gateway }, journal: {}, state: { engines: {} } } as never,
    { state, config: ['mcp.json'], mode: 'meta' } as never,
    () => [],
  )
  published.addConsole('http://127.0.0.1:1', 'key')
  const reader = openSync(join(state, 'running', `${process.pid}.json`), 'r')
  const before = runningProcesses(state)[0]?.servers[0]?.calls ?? 0
  vi.advanceTimersByTime(10_000)
  expect(runningProcesses(state)[0]?.servers[0]?.calls).toBeGreaterThan(before)
  expect(JSON.parse(readFileSync(reader, 'utf8')).servers[0].calls).toBe(before)
  published.remove()
  expect(runningProcesses(state)).toEqual([])
})

test('lines that are lost on a full disk are counted while it is full', () => {
  vi.useFakeTimers()
  let lines = 0
  const loss = () =>
    lines > 0 ? { lines, message: 'ENOSPC', time: '2026-11-25T10:00:00Z' } : undefined
  const fleet = { status: () => [] }
  const gateway = { clients: { sessions: new Set() }, fleet, viewFor: () => ({}) }
  const published = publishProcess(
    { aggregator: { gateway }, journal: { loss }, state: { engines: {} } } as never,
    { state, config: ['mcp.json'], mode: 'meta' } as never,
    () => [],
  )
  vi.advanceTimersByTime(2_000)
  vi.mocked(files.replaceFile).mockImplementation(() => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  })
  for (lines of [1, 1_690]) {
    vi.advanceTimersByTime(2_000)
    expect(runningProcesses(state)[0]?.journalLoss?.lines).toBe(lines)
  }
  vi.mocked(files.replaceFile).mockRestore()
  published.remove()
})
