import {
  createUsageOverTime,
  type UsageGroup,
  type UsageInterval,
  type UsageOverTime,
} from '@pith-mcp/aggregator'
import createLimit from 'p-limit'
import { z } from 'zod'
import { sinceMs } from '../../since.ts'
import type { ApiContext } from '../operation/context.ts'
import { type Operation, operation } from '../operation/operation.ts'
import { ApiError } from '../operation/problem.ts'
import { receipt, usageBy, usageReport, usageSeries } from '../schemas/usage.ts'

const tag = 'usage'
const msOf = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const
const since = z
  .string()
  .default('24h')
  .describe('How far back: 7d, 24h, 60m, or a time in ISO 8601.')
const limit = z.coerce.number().int().min(1).max(200)

export const usageOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/usage',
    tag,
    summary: 'Calls, errors, times and tokens by one thing they have in common.',
    query: z.object({ by: usageBy.default('server'), since, limit: limit.default(50) }),
    answer: usageReport,
    async run({ query }, context) {
      const { usage, intervals } = await usageFor(query.by, undefined, query.since, context)
      return usage.report(query.limit, intervals)
    },
  }),
  operation({
    method: 'get',
    path: '/usage/series',
    tag,
    summary: 'The same over time.',
    query: z.object({
      by: usageBy.default('server'),
      since,
      interval: z.enum(['minute', 'hour', 'day']).optional(),
      limit: limit.max(20).default(8),
    }),
    answer: usageSeries,
    async run({ query }, context) {
      const found = await usageFor(query.by, query.interval, query.since, context)
      return found.usage.series(query.limit, found.intervals)
    },
  }),
  operation({
    method: 'get',
    path: '/receipt',
    tag,
    summary: 'What the list of tools costs a client in each mode; nothing is started.',
    answer: receipt,
    run: (_, context) => receiptOf(context, false),
  }),
  operation({
    method: 'post',
    path: '/receipt',
    tag,
    summary: 'The same after starting the servers that were never asked.',
    answer: receipt,
    run: (_, context) => receiptOf(context, true),
  }),
]

async function receiptOf(
  { aggregator, settings }: ApiContext,
  ask: boolean,
): Promise<z.input<typeof receipt>> {
  const { receipt: found, silent } = await aggregator.receipt({ ask })
  return { ...found, mode: settings.mode, silent }
}

/** Each is kept up to date for as long as someone looks at it: one for a thing and an interval. */
const kept = new WeakMap<ApiContext, Map<string, UsageOverTime>>()
/** The journal is read by one of them at a time. */
const reading = createLimit(1)
/** As far as one looks back. */
const mostIntervals = { minute: 180, hour: 7 * 24, day: 400 } as const

async function usageFor(
  by: UsageGroup,
  wanted: UsageInterval | undefined,
  text: string,
  context: ApiContext,
): Promise<{ usage: UsageOverTime; intervals: number }> {
  const folder = context.journalFolder
  if (folder === undefined)
    throw new ApiError(409, 'no_journal', 'No journal is kept.', 'It is off in the configuration.')
  const ms = sinceMs(text)
  if (ms === undefined)
    throw new ApiError(400, 'bad_request', `since ${text}: write 7d, 24h, 60m or 2026-11-01.`)
  const interval = wanted ?? (ms <= 3 * msOf.hour ? 'minute' : ms <= 3 * msOf.day ? 'hour' : 'day')
  const intervals = Math.max(1, Math.ceil(ms / msOf[interval]))
  const most = mostIntervals[interval]
  if (intervals > most)
    throw new ApiError(
      400,
      'too_many',
      `since ${text} is ${intervals} times one ${interval}; at most ${most}.`,
      interval === 'day' ? 'Give a later time.' : 'Give a longer interval.',
    )
  const tables = kept.get(context) ?? new Map<string, UsageOverTime>()
  kept.set(context, tables)
  const key = `${by} ${interval}`
  const usage = tables.get(key) ?? createUsageOverTime({ folder, by, interval, intervals: most })
  tables.set(key, usage)
  await reading(() => usage.refresh())
  return { usage, intervals }
}
