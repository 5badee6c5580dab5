import { refusals } from '@pith-mcp/aggregator'
import createLimit from 'p-limit'
import { z } from 'zod'
import { timeOf } from '../since.ts'
import { journalOf } from './context.ts'
import { causeOf, isCall } from './journal.ts'
import { component, type Operation, operation } from './operation.ts'

const serverCalls = component('ServerCalls', {
  from: z.string().describe('The period, in ISO 8601: its lines in the journal are the same.'),
  to: z.string(),
  calls: z.int(),
  failed: z.int(),
  refused: z.int().describe('Refused by a rule or limit; not counted as calls.'),
  durations: z.array(
    z.object({
      upTo: z.int().optional().describe('Milliseconds; absent for all that took longer.'),
      calls: z.int(),
    }),
  ),
  causes: z.array(
    z.object({
      cause: z.string().describe('Outcome and message; “#” and “…” stand for what differs.'),
      isRefusal: z.boolean(),
      lines: z.int(),
      last: z.string(),
    }),
  ),
  others: z.int().describe('Lines of causes that were omitted, the rarest.'),
})

const maxCauses = 50
const maxReadMs = 20_000
/** Milliseconds. */
const bounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 3e4, 6e4]
/** Only one request reads the journal at a time. */
const reading = createLimit(1)

export const serverCallOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/servers/{unit}/calls',
    summary: 'Count the calls of a server by duration, and those that failed by cause.',
    query: z.object({ since: z.string().default('24h'), until: z.string().optional() }),
    answer: serverCalls,
    run({ unit, since, until }, context, performer) {
      const journal = journalOf(context)
      const from = timeOf(since, 'query.since') ?? ''
      const to = timeOf(until, 'query.until') ?? new Date().toISOString()
      const [name, account] = unit.split('@')
      const signal = AbortSignal.any([performer.signal, AbortSignal.timeout(maxReadMs)])
      return reading(async () => {
        const durations = bounds.map((upTo) => ({ upTo, calls: 0 }))
        const slow = { calls: 0 }
        const causes = new Map<string, { isRefusal: boolean; lines: number; last: string }>()
        const counts = { calls: 0, failed: 0, refused: 0 }
        for await (const line of journal.read(from)) {
          signal.throwIfAborted()
          const { time, outcome, ms = 0 } = line
          const isOf = line.module === name && line.account === account && isCall(line)
          if (!isOf || time > to) continue
          const isRefusal = refusals.includes(outcome)
          counts[isRefusal ? 'refused' : 'calls']++
          if (!isRefusal) (durations.find(({ upTo }) => ms <= upTo) ?? slow).calls++
          if (outcome === 'ok') continue
          if (!isRefusal) counts.failed++
          const cause = causes.get(causeOf(line)) ?? { isRefusal, lines: 0, last: '' }
          causes.set(causeOf(line), cause)
          cause.lines++
          if (time > cause.last) cause.last = time
        }
        const sorted = [...causes]
          .map(([cause, rest]) => ({ cause, ...rest }))
          .sort((a, b) => b.lines - a.lines)
        const others = sorted.slice(maxCauses).reduce((sum, { lines }) => sum + lines, 0)
        const listed = sorted.slice(0, maxCauses)
        return { from, to, ...counts, durations: [...durations, slow], causes: listed, others }
      })
    },
  }),
]
