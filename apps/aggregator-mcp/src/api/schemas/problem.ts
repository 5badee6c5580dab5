import { z } from 'zod'

/** Of RFC 9457, as `application/problem+json`. */
export const problem = z
  .object({
    title: z.string().describe('What happened, with the value.'),
    status: z.int(),
    code: z.string(),
    remedy: z.string().optional().describe('What to do about it.'),
  })
  .meta({ id: 'Problem' })
