import { z } from 'zod'

/** An aggregator that runs on this machine with the same state folder. */
export const runningAggregator = z
  .object({
    pid: z.int(),
    isThis: z.boolean(),
    startedAt: z.string(),
    config: z.array(z.string()),
    mode: z.string(),
    http: z.string().optional(),
    profile: z.string().optional(),
    clients: z.int(),
    servers: z.int(),
    calls: z.int(),
  })
  .meta({ id: 'RunningAggregator' })
