import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../../packages/base/test/temporary-folder.ts'
import { createJsonLogger } from '../../src/log/json-logger.ts'
import type { Logger } from '../../src/log/logger.ts'

function logged(work: (logger: Logger) => void): Record<string, unknown>[] {
  const folder = temporaryFolder(onTestFinished)
  const path = join(folder, 'log')
  const descriptor = openSync(path, 'w')
  work(createJsonLogger('debug', descriptor))
  const text = readFileSync(path, 'utf8')
  closeSync(descriptor)
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('a line is written when it is said, and says when, how bad, what and about whom', () => {
  expect(logged(({ log }) => log('it ended', 'warn', { server: 'notes' }))).toEqual([
    { level: 'warn', time: expect.any(String), server: 'notes', msg: 'it ended' },
  ])
})

test('what is to be hidden is hidden in every field', () => {
  const lines = logged(({ log, record, redactWith }) => {
    redactWith((text) => text.replaceAll('s3cret', '[redacted]'))
    log('the s3cret', 'info', { server: 's3cret' })
    const line = { time: '', kind: 'event', outcome: 'rejected', message: 's3cret' } as const
    record({ ...line, tool: 's3cret', caller: 's3cret' })
    record({ ...line, kind: 'admin', change: 's3cret' })
  })
  expect(JSON.stringify(lines)).not.toContain('s3cret')
  expect(lines[2]).toMatchObject({ kind: 'admin', change: '[redacted]' })
  expect(lines[1]).toMatchObject({ tool: '[redacted]', msg: '[redacted]', outcome: 'rejected' })
})

test('links that open the console do not, and fields named like a token are empty', () => {
  const lines = logged(({ log }) => {
    log('console at http://127.0.0.1:1/#code=abc.De-f.g_h')
    log('x', 'info', { token: 'abc' } as object)
  })
  expect(lines).toMatchObject([
    { msg: 'console at http://127.0.0.1:1/#code=[redacted]' },
    { token: '[redacted]' },
  ])
})

test('arguments, and what is not known of a call, are in no line', () => {
  const call = { time: '2030-01-01T00:00:00.000Z', kind: 'call', argsHash: 'h' } as const
  const [line] = logged(({ record }) =>
    record({ ...call, module: 'a', tool: 'b', outcome: 'ok', ms: 4 }),
  )
  expect(line).toEqual({
    level: 'debug',
    time: expect.any(String),
    kind: 'call',
    server: 'a',
    tool: 'b',
    outcome: 'ok',
    ms: 4,
    at: call.time,
    msg: 'a.b: ok',
  })
})
