import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { throttle } from '../../src/upstream/process/throttle.ts'
import { createStderrTail } from '../../src/upstream/stderr-tail.ts'

const asItIs = (text: string): string => text

test('the last lines are kept, whole though they come in pieces', () => {
  const told: string[] = []
  const tail = createStderrTail(asItIs, (line) => void told.push(line))
  for (let line = 0; line < 200; line++) {
    tail.add(`line ${line}`)
    tail.add('\n\n')
  }
  tail.add('not yet')
  expect(tail.lines(3)).toEqual(['line 198', 'line 199', 'not yet'])
  expect(tail.lines()).toHaveLength(50)
  expect(told).toHaveLength(200)
})

test('a line without end does not grow', () => {
  const tail = createStderrTail(asItIs)
  for (let part = 0; part < 1_000; part++) tail.add('x'.repeat(1_000))
  expect(tail.lines().join('').length).toBeLessThanOrEqual(500)
})

test('a line that is written over again and again is one of many', () => {
  const tail = createStderrTail(asItIs)
  tail.add('10 %\r20 %\r\n30 %\rError: no space')
  expect(tail.lines()).toEqual(['10 %', '20 %', '30 %', 'Error: no space'])
})

test('of a flood two hundred lines a second are looked at, and the rest is counted', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let redacted = 0
  const told: string[] = []
  const tail = createStderrTail(
    (text) => {
      redacted += text.length
      return text
    },
    (line) => void told.push(line),
  )
  const page = `${'f'.repeat(50)}\n`.repeat(1_000)
  for (let count = 0; count < 100; count++) tail.add(page)
  expect(told).toHaveLength(200)
  expect(redacted).toBeLessThan(20_000)
  vi.advanceTimersByTime(1_000)
  expect(told).toHaveLength(211)
  expect(told[200]).toMatch(/^… 99,790 more lines in 1 s$/)
})

test('what a server wrote last is among its last lines, whatever it wrote before', () => {
  const tail = createStderrTail(asItIs)
  tail.add('at somewhere\n'.repeat(5_000))
  tail.add('Error: the disk')
  tail.add(' is full\n')
  tail.add('bye')
  expect(tail.lines(2)).toEqual(['Error: the disk is full', 'bye'])
  expect(tail.lines().some((line) => line.includes('more lines in'))).toBe(true)
})

test('a secret is hidden wherever a line is cut', () => {
  const secret = `${'hunter2-'.repeat(20)}end`
  const redact = (text: string): string => text.replaceAll(secret, '[redacted]')
  const said: string[] = []
  for (let start = 3_800; start <= 4_010; start += 10) {
    const tail = createStderrTail(redact, (line) => void said.push(line))
    tail.add(`${'x'.repeat(start)}${secret} ${'y'.repeat(3_000)}\n`)
    // In pieces, as a line without end comes.
    tail.add(`${'x'.repeat(start % 97)}${secret.repeat(40)}`)
    tail.add('\n')
    tail.add(`${'z'.repeat(start % 53)}${secret}\n`.repeat(300))
    said.push(...tail.lines())
  }
  expect(said.join('\n')).not.toContain('hunter2')
  expect(said.join('\n')).toContain('[redacted]')
})

test('control characters and turned text are seen, and do nothing', () => {
  const told: string[] = []
  const tail = createStderrTail(asItIs, (line) => void told.push(line))
  tail.add('\u001B[2J\u001B]0;title\u0007red \u202Edet\u202C\tend\n')
  expect(told).toEqual(['\\u{1B}[2J\\u{1B}]0;title\\u{7}red \\u{202E}det\\u{202C}  end'])
  expect(tail.lines()).toEqual(told)
})

test('who writes as fast as it can is read slowly, and to the end once it is over', async () => {
  const stream = new PassThrough()
  let end = (): void => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  let read = 0
  throttle(
    stream,
    (text) => {
      read += text.length
    },
    over,
  )
  const piece = 'x'.repeat(64 * 1024)
  for (let count = 0; count < 160; count++) stream.write(piece)
  await sleep(300)
  expect(read).toBeGreaterThan(500_000)
  expect(read).toBeLessThan(3_000_000)
  end()
  await expect.poll(() => read).toBe(160 * piece.length)
})
