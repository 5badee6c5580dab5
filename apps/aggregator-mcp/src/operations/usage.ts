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
import { journalOf, type OperationContext, ownerView } from './context.ts'
import { costOf } from './described-server.ts'
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

const unusedTools = component('UnusedTools', {
  tools: z.array(z.object({ server: z.string(), name: z.string(), tokens: z.int() })),
  others: z.int().describe('How many were omitted, those with the fewest tokens.'),
  tokens: z.int().describe('Tokens of the definitions of all of them.'),
  known: z.int().describe('All tools that clients can call.'),
  isUnsure: z.boolean().describe('Too many tools were called to tell all of them apart.'),
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
const limit = z.coerce.number().int().min(1).max(200)
const maxUnused = 500

export const usageOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/usage',
    summary: 'Get calls, errors, latency and tokens, grouped by one dimension.',
    query: z.object({ by: usageBy.default('server'), since, until, limit: limit.default(50) }),
    answer: usageReport,
    async run({ by, limit, ...query }, context) {
      const { usage, intervals, ...period } = await usageFor(by, query, context)
      return { ...usage.report(limit, intervals), ...period }
    },
  }),
  operation({
    method: 'get',
    path: '/usage/unused',
    summary: 'List the tools that were not called in a period, those with the most tokens first.',
    query: z.object({ since, until }),
    answer: unusedTools,
    async run(query, context) {
      const { usage, intervals } = await usageFor('tool', query, context)
      const { groups } = usage.report(Number.MAX_SAFE_INTEGER, intervals)
      const called = new Set(groups.flatMap(({ name, usage: { calls } }) => (calls ? name : [])))
      const { tools } = ownerView(context)
      const unused = tools
        .map(({ server, name, definition }) => ({
          server: server.name,
          name,
          tokens: costOf(definition),
        }))
        .filter(({ server, name }) => !called.has(`${server}.${name}`))
        .sort((a, b) => b.tokens - a.tokens)
      return {
        tools: unused.slice(0, maxUnused),
        others: Math.max(0, unused.length - maxUnused),
        tokens: unused.reduce((sum, tool) => sum + tool.tokens, 0),
        known: tools.length,
        isUnsure: called.has('(more)'),
      }
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
async function usageFor(
  by: UsageGroup,
  { since: text, until, interval: requested }: Period,
  context: OperationContext,
) {
  const journal = journalOf(context)
  const now = Date.now()
  const from = atOf(text, 'query.since', now)
  const to = until ? atOf(until, 'query.until', now) : now
  const ms = to - from
  if (ms <= 0) throw badRequest(`The period ends at ${until ?? 'once'}, before it begins.`)
  const interval =
    requested ?? (ms <= 3 * msOf.hour ? 'minute' : ms <= 7 * msOf.day ? 'hour' : 'day')
  const width = msOf[interval]
  const latest = Math.ceil(to / width)
  const isDuration = !until && /[dhm]$/.test(text)
  const intervals = isDuration ? Math.ceil(ms / width) : latest - Math.floor(from / width)
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
  const key = `${until ? `${from} ${to} ` : ''}${by} ${interval}`
  const past = [...tables.keys()].filter((name) => /^\d/.test(name))
  if (past.length > maxPast) tables.delete(past[0] ?? '')
  const bounds = until ? { intervals, now: () => to - 1 } : { intervals: max }
  const usage =
    tables.get(key) ?? createUsageOverTime({ tail: journal.tail(), by, interval, ...bounds })
  tables.set(key, usage)
  await reading(() => usage.refresh())
  const [start, end] = [latest - intervals, latest].map((at) => new Date(at * width).toISOString())
  return { usage, intervals, interval, start: start ?? '', end: end ?? '' }
}
