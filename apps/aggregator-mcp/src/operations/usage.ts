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
import { atOf } from '../since.ts'
import { journalOf, type OperationContext } from './context.ts'
import { component, type Operation, operation } from './operation.ts'
import { ApiError, badRequest } from './problem.ts'

/** Usage in a period. */
const usage = component('Usage', usageOfPeriod.shape)

const usageReport = component('UsageReport', {
  total: usage,
  groups: z.array(z.object({ name: z.string(), usage })),
  others: z.int().describe('How many groups were omitted, those with the fewest calls.'),
  from: z.string().optional(),
  to: z.string().optional(),
  start: z.string().describe('Start of the counted period: that of an interval, in UTC.'),
  end: z.string(),
  interval: z.enum(usageIntervals),
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
const until = z.string().optional().describe('End of the period, in the same way. Default: now.')
const limit = z.coerce.number().int().min(1).max(1_000)

export const usageOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/usage',
    summary: 'Get calls, errors, latency and tokens, grouped by one dimension.',
    query: z.object({ by: usageBy.default('server'), since, until, limit: limit.default(50) }),
    answer: usageReport,
    async run({ by, limit, ...query }, context) {
      const { usage, intervals, ...counted } = await usageFor(by, query, context)
      return { ...usage.report(limit, intervals), ...counted }
    },
  }),
  operation({
    method: 'get',
    path: '/usage/series',
    summary: 'Get usage over time.',
    query: z.object({
      by: usageBy.default('server'),
      since,
      until,
      interval: z.enum(usageIntervals).optional(),
      limit: limit.max(20).default(8),
    }),
    answer: usageSeries,
    async run({ by, limit, ...query }, context) {
      const { usage, intervals } = await usageFor(by, query, context)
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

/** Tables of periods that end in the past; beyond, the oldest is dropped. */
const maxPast = 16

interface Period {
  since: string
  until?: string | undefined
  interval?: UsageInterval | undefined
}

/** A duration until now is a number of intervals; times are widened to whole intervals. */
function intervalsOf({ since, until, interval: requested }: Period) {
  const now = Date.now()
  const from = atOf(since, 'query.since', now)
  const to = until ? atOf(until, 'query.until', now) : now
  const ms = to - from
  if (ms <= 0) throw badRequest('The period must begin before it ends.')
  const interval =
    requested ?? (ms <= 3 * msOf.hour ? 'minute' : ms <= 7 * msOf.day ? 'hour' : 'day')
  const width = msOf[interval]
  const latest = Math.ceil(to / width)
  const isDuration = !until && /[dhm]$/.test(since)
  const intervals = isDuration ? Math.ceil(ms / width) : latest - Math.floor(from / width)
  if (intervals > maxIntervals[interval])
    throw new ApiError(
      400,
      'too_many',
      `query.since ${since} is ${intervals} intervals of one ${interval} ago, more than ${maxIntervals[interval]}.`,
      interval === 'day' ? 'Use a later time.' : 'Use a longer interval.',
    )
  const timeOf = (at: number): string => new Date(at * width).toISOString()
  return { from, to, interval, intervals, start: timeOf(latest - intervals), end: timeOf(latest) }
}

async function usageFor(by: UsageGroup, period: Period, context: OperationContext) {
  const journal = journalOf(context)
  const { from, to, ...counted } = intervalsOf(period)
  const { interval, intervals } = counted
  const tables = cache.get(context) ?? new Map<string, UsageOverTime>()
  cache.set(context, tables)
  const key = `${period.until ? `${from} ${to} ` : ''}${by} ${interval}`
  const past = [...tables.keys()].filter((name) => /^\d/.test(name))
  if (past.length > maxPast) tables.delete(past[0] ?? '')
  const bounds = period.until
    ? { intervals, now: () => to - 1 }
    : { intervals: maxIntervals[interval] }
  const usage =
    tables.get(key) ?? createUsageOverTime({ tail: journal.tail(), by, interval, ...bounds })
  tables.set(key, usage)
  await reading(() => usage.refresh())
  return { usage, ...counted }
}
