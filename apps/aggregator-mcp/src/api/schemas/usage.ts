import { z } from 'zod'
import { named } from './named.ts'

/** Usage in a period. Tokens are estimates. */
const usage = named('Usage', {
  calls: z.int(),
  errors: z.int(),
  p50: z.number().describe('Median latency in milliseconds.'),
  p95: z.number().describe('95th percentile of the latency in milliseconds.'),
  tokensIn: z.int(),
  tokensOut: z.int(),
  tokensSaved: z.int().describe('Tokens of results and tool lists that were not sent.'),
})

export const usageReport = named('UsageReport', {
  total: usage,
  groups: z.array(z.object({ name: z.string(), usage })),
  others: z.int().describe('How many groups were omitted, those with the fewest calls.'),
  from: z.string().optional(),
  to: z.string().optional(),
})

export const usageBy = z.enum(['server', 'tool', 'account', 'day', 'caller', 'profile', 'outcome'])

export const usageSeries = named('UsageSeries', {
  interval: z.enum(['minute', 'hour', 'day']),
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
  auto: z.int(),
  full: z.int().describe('What the servers would cost without Pith.'),
})

/** The tokens that the tool list costs a client on every turn. */
export const receipt = named('Receipt', {
  servers: z.int(),
  tools: z.int(),
  mode: z.enum(['meta', 'list', 'auto', 'full']).describe('The mode in use.'),
  listTokens: modeTokens,
  silent: z
    .array(z.string())
    .describe('Servers whose tools are unknown and therefore not counted.'),
})
