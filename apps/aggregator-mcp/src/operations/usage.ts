import {
  createUsageOverTime,
  modes,
  type UsageGroup,
  type UsageInterval,
  type UsageOverTime,
  usageGroups,
  usageIntervals,
  usage as usageOfPeriod,
} from '@pith-mcp/aggregator'
import createLimit from 'p-limit'
import { z } from 'zod'
import { msSince } from '../since.ts'
import { journalOf, type OperationContext } from './context.ts'
import { component, type Operation, operation } from './operation.ts'
import { ApiError } from './problem.ts'

/** Usage in a period. */
const usage = component('Usage', usageOfPeriod.shape)

const usageReport = component('UsageReport', {
  total: usage,
  groups: z.array(z.object({ name: z.string(), usage })),
  others: z.int().describe('How many groups were omitted, those with the fewest calls.'),
  from: z.string().optional(),
  to: z.string().optional(),
})

const usageBy = z.enum(usageGroups)

const usageSeries = component('UsageSeries', {
  interval: z.enum(usageIntervals),
  times: z.array(z.string()).describe('The starts of the intervals, without gaps.'),
  series: z.array(
    z.object({
      name: z.string(),
      points: z.array(usage).describe('One point for each time.'),
    }),
  ),
})

export const modeTokens = z.object({
  meta: z.int(),
  list: z.int(),
  full: z.int().describe('What the servers would cost without Pith.'),
})

/** The tokens that the tool list costs a client on every turn. */
const receipt = component('Receipt', {
  servers: z.int(),
  tools: z.int(),
  mode: z.enum(modes).describe('The mode in use.'),
  listTokens: modeTokens,
  silent: z
    .array(z.string())
    .describe('Servers whose tools are unknown and therefore not counted.'),
})

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
    summary: 'Get calls, errors, latency and tokens, grouped by one dimension.',
    query: z.object({ by: usageBy.default('server'), since, limit: limit.default(50) }),
    answer: usageReport,
    async run({ by, since, limit }, context) {
      const { usage, intervals } = await usageFor(by, undefined, since, context)
      return usage.report(limit, intervals)
    },
  }),
  operation({
    method: 'get',
    path: '/usage/series',
    summary: 'Get usage over time.',
    query: z.object({
      by: usageBy.default('server'),
      since,
      interval: z.enum(usageIntervals).optional(),
      limit: limit.max(20).default(8),
    }),
    answer: usageSeries,
    async run({ by, interval, since, limit }, context) {
      const { usage, intervals } = await usageFor(by, interval, since, context)
      return usage.series(limit, intervals)
    },
  }),
  operation({
    method: 'get',
    path: '/receipt',
    summary: 'Get the cost of the tool list in each mode. Starts no servers.',
    answer: receipt,
    run: (_, context) => receiptOf(context, false),
  }),
  operation({
    method: 'post',
    path: '/receipt',
    summary: 'Get the cost of the tool list after starting the servers whose tools are unknown.',
    audit: () => 'stats --lists',
    answer: receipt,
    run: (_, context) => receiptOf(context, true),
  }),
]

async function receiptOf(
  { aggregator, settings }: OperationContext,
  ask: boolean,
): Promise<z.input<typeof receipt>> {
  const { receipt: totals, silent } = await aggregator.receipt({ ask })
  return { ...totals, mode: settings.mode, silent }
}

/** Usage tables by dimension and interval. A request brings its table up to date. */
const cache = new WeakMap<OperationContext, Map<string, UsageOverTime>>()
/** Only one table reads the journal at a time. */
const reading = createLimit(1)
/** The longest period of each interval. */
const maxIntervals = { minute: 180, hour: 7 * 24, day: 400 } as const

async function usageFor(
  by: UsageGroup,
  requested: UsageInterval | undefined,
  text: string,
  context: OperationContext,
): Promise<{ usage: UsageOverTime; intervals: number }> {
  const journal = journalOf(context)
  const ms = msSince(text, 'query.since')
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
  const usage =
    tables.get(key) ?? createUsageOverTime({ tail: journal.tail(), by, interval, intervals: max })
  tables.set(key, usage)
  await reading(() => usage.refresh())
  return { usage, intervals }
}
