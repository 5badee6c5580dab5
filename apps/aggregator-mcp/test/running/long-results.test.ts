import { afterAll, expect, test } from 'vitest'
import { configure, odd, startAggregator } from './aggregator-process.ts'

const { args, remove } = configure({ a: odd() })
const aggregator = await startAggregator(args)
afterAll(async () => {
  await aggregator.stop()
  remove()
})

/** Follow the calls that replies name, as a model would. */
async function readWhole(first: string): Promise<string> {
  let whole = ''
  for (let reply = first; ; ) {
    const [header = '', from, to] = /^\[characters (\d+)–(\d+) of \d+\]\n/.exec(reply) ?? []
    if (from === undefined) return whole + reply
    const body = reply.slice(header.length)
    whole += body.slice(0, Number(to) - Number(from))
    const [, more] =
      /\[more: read_more\((\{.*?\})\)/.exec(body.slice(Number(to) - Number(from))) ?? []
    if (more === undefined) return whole
    const params = { name: 'read_more', arguments: JSON.parse(more) as object }
    const { result } = await aggregator.request('tools/call', params)
    reply = result?.content?.[0]?.text ?? ''
    expect(reply.length).toBeLessThanOrEqual(20_000)
  }
}

/** Of some 30 bytes. */
const entries = process.env['LONG'] === '1' ? 40_000 : 8_000

test(`a result of ${entries} lines is read to its end, page by page`, async () => {
  const text = Array.from(
    { length: entries },
    (_, at) => `entry ${at}: ${'word '.repeat(at % 9)}`,
  ).join('\n')
  expect(text.length).toBeGreaterThan(25 * entries)
  expect(await readWhole(await aggregator.call('a', 'echo', { text }))).toBe(text)
}, 60_000)
