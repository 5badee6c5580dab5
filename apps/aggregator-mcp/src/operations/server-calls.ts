import { refusals } from '@pith-mcp/aggregator'
import { timeLimit } from '@pith-mcp/base/race-abort'
import createLimit from 'p-limit'
import { z } from 'zod'
import { timeOf } from '../since.ts'
import { journalOf } from './context.ts'
import { causeOf, isCall } from './journal.ts'
import { component, type Operation, operation } from './operation.ts'

const cause = z.object({
  cause: z.string().describe('Outcome and message; “#” and “…” stand for what differs.'),
  isRefusal: z.boolean(),
  lines: z.int(),
  last: z.string(),
})
const duration = z.object({
  upTo: z.int().optional().describe('Milliseconds; absent for all that took longer.'),
  calls: z.int(),
})

const serverCalls = component('ServerCalls', {
  from: z
    .string()
    .describe('The period, in ISO 8601: a search of the journal finds the same lines.'),
  to: z.string(),
  failed: z.int(),
  refused: z.int().describe('Refused by a rule or limit; not counted as calls.'),
  durations: z.array(duration),
  causes: z.array(cause).describe('The most frequent first.'),
  others: z.int().describe('Lines of further causes.'),
})

const maxReadMs = 20_000
const maxCauses = 200
/** Milliseconds. */
const bounds = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 3e4, 6e4]
/** Only one request reads all lines at a time. */
const reading = createLimit(1)

export const serverCallOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/servers/{unit}/calls',
    summary: 'Count the calls of a server by duration, and those that failed by cause.',
    query: z.object({ since: z.string().default('24h'), until: z.string().optional() }),
    answer: serverCalls,
    async run({ unit, since, until }, context, performer) {
      const journal = journalOf(context)
      const from = timeOf(since, 'query.since') ?? ''
      const to = timeOf(until, 'query.until') ?? new Date().toISOString()
      const [name, account] = unit.split('@')
      const signal = timeLimit(maxReadMs, performer.signal)
      const slow: z.input<typeof duration> = { calls: 0 }
      const durations = [...bounds.map((upTo) => ({ upTo, calls: 0 })), slow]
      const causes = new Map<string, z.input<typeof cause>>()
      const counts = { failed: 0, refused: 0, others: 0 }
      await reading(async () => {
        for await (const line of journal.read(from)) {
          signal.throwIfAborted()
          const { module, time, outcome, ms = 0 } = line
          if (module !== name || line.account !== account || time > to || !isCall(line)) continue
          const isRefusal = refusals.includes(outcome)
          if (!isRefusal) (durations.find(({ upTo = 0 }) => ms <= upTo) ?? slow).calls++
          if (outcome === 'ok') continue
          counts[isRefusal ? 'refused' : 'failed']++
          const key = causeOf(line)
          const row = causes.get(key) ?? { cause: key, isRefusal, lines: 0, last: '' }
          if (causes.size < maxCauses) causes.set(key, row)
          if (!causes.has(key)) counts.others++
          row.lines++
          if (time > row.last) row.last = time
        }
      })
      const sorted = [...causes.values()].sort((a, b) => b.lines - a.lines)
      return { from, to, ...counts, durations, causes: sorted }
    },
  }),
]
