import {
  createUsageOverTime,
  type UsageGroup,
  type UsageInterval,
  type UsageOverTime,
} from '@pith-mcp/aggregator'
import createLimit from 'p-limit'
import { z } from 'zod'
import type { ApiContext } from '../operation/context.ts'
import { journalOf, msSince } from '../operation/journal-of.ts'
import { type Operation, operation } from '../operation/operation.ts'
import { ApiError } from '../operation/problem.ts'
import { receipt, usageBy, usageReport, usageSeries } from '../schemas/usage.ts'

const tag = 'usage'
const msOf = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const
const since = z
  .string()
  .default('24h')
  .describe('Start of the period: 7d, 24h, 60m, or a time in ISO 8601.')
const limit = z.coerce.number().int().min(1).max(200)

export const usageOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/usage',
    tag,
    summary: 'Get calls, errors, latency and tokens, grouped by one dimension.',
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
    summary: 'Get usage over time.',
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
    summary: 'Get the cost of the tool list in each mode. Starts no servers.',
    answer: receipt,
    run: (_, context) => receiptOf(context, false),
  }),
  operation({
    method: 'post',
    path: '/receipt',
    tag,
    summary: 'Get the cost of the tool list after starting the servers whose tools are unknown.',
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

/** Usage tables by dimension and interval. A request brings its table up to date. */
const cache = new WeakMap<ApiContext, Map<string, UsageOverTime>>()
/** Only one table reads the journal at a time. */
const reading = createLimit(1)
/** The longest period of each interval. */
const maxIntervals = { minute: 180, hour: 7 * 24, day: 400 } as const

async function usageFor(
  by: UsageGroup,
  requested: UsageInterval | undefined,
  text: string,
  context: ApiContext,
): Promise<{ usage: UsageOverTime; intervals: number }> {
  const folder = journalOf(context)
  const ms = msSince(text, 'since')
  const interval =
    requested ?? (ms <= 3 * msOf.hour ? 'minute' : ms <= 3 * msOf.day ? 'hour' : 'day')
  const intervals = Math.max(1, Math.ceil(ms / msOf[interval]))
  const max = maxIntervals[interval]
  if (intervals > max)
    throw new ApiError(
      400,
      'too_many',
      `query.since ${text} is ${intervals} intervals of one ${interval} ago, more than ${max}.`,
      interval === 'day' ? 'Use a later time.' : 'Use a longer interval.',
    )
  const tables = cache.get(context) ?? new Map<string, UsageOverTime>()
  cache.set(context, tables)
  const key = `${by} ${interval}`
  const usage = tables.get(key) ?? createUsageOverTime({ folder, by, interval, intervals: max })
  tables.set(key, usage)
  await reading(() => usage.refresh())
  return { usage, intervals }
}
