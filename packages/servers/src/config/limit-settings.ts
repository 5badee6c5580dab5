import { z } from 'zod'

/** At most `calls` within `seconds`. */
export const rate = z.strictObject({
  calls: z.number().int().positive(),
  seconds: z.number().positive().max(86_400),
})

/** At most `calls` within `seconds`. */
export type Rate = z.output<typeof rate>

/** Limits of one server, which are members of its entry. */
export const serverLimits = z.strictObject({
  rate: rate.optional(),
  maxConcurrency: z
    .number()
    .int()
    .positive()
    .max(1_000)
    .optional()
    .describe('Calls at the same time, of all clients; others wait.'),
})

/** `limits` of the settings; a member that is absent sets no limit. */
export const limits = z.strictObject({
  caller: rate
    .optional()
    .describe('Calls of one caller, to all tools; callers without a name count as one.'),
  server: rate.optional().describe('Calls to one server, of all callers.'),
  tool: rate.optional().describe('Calls to one tool, of all callers.'),
  sessionTokens: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Tokens that the results of one session may take.'),
  redis: z
    .string()
    .min(1)
    .optional()
    .describe('URL of a Redis that counts calls across processes.'),
})

/** Rates and budgets of callers, servers and tools; a member that is absent sets no limit. */
export interface LimitSettings extends z.output<typeof limits> {
  /** Limits of named callers; they override `caller` and `sessionTokens`. */
  callers?:
    | Readonly<Record<string, { rate?: Rate | undefined; sessionTokens?: number | undefined }>>
    | undefined
}
