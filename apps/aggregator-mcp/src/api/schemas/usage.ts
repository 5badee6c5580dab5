import { z } from 'zod'

/** Tokens are estimates. */
const usage = z
  .object({
    calls: z.int(),
    errors: z.int(),
    p50: z.number().describe('Milliseconds.'),
    p95: z.number().describe('Milliseconds.'),
    tokensIn: z.int(),
    tokensOut: z.int(),
    tokensSaved: z.int().describe('Of results and lists that were not sent.'),
  })
  .meta({ id: 'Usage' })

export const usageReport = z
  .object({
    total: usage,
    groups: z.array(z.object({ name: z.string(), usage })),
    others: z.int().describe('Groups beyond limit, the least called.'),
    from: z.string().optional(),
    to: z.string().optional(),
  })
  .meta({ id: 'UsageReport' })

export const usageBy = z.enum(['server', 'tool', 'account', 'day', 'caller', 'profile', 'outcome'])

export const usageSeries = z
  .object({
    interval: z.enum(['minute', 'hour', 'day']),
    times: z.array(z.string()).describe('The beginnings of the intervals, without gaps.'),
    series: z.array(
      z.object({
        name: z.string(),
        points: z.array(usage).describe('One for each time.'),
      }),
    ),
  })
  .meta({ id: 'UsageSeries' })

const modeTokens = z.object({
  meta: z.int(),
  list: z.int(),
  auto: z.int(),
  full: z.int().describe('What the servers would cost without us.'),
})

/** What the list of tools costs a client on every turn. */
export const receipt = z
  .object({
    servers: z.int(),
    tools: z.int(),
    mode: z.enum(['meta', 'list', 'auto', 'full']).describe('The one that is served.'),
    listTokens: modeTokens,
    silent: z.array(z.string()).describe('Servers that were never asked, and are not counted.'),
  })
  .meta({ id: 'Receipt' })

export { modeTokens }
