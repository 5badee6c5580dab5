import { z } from 'zod'

/** Empty if the request has a bearer token. */
export const signIn = z
  .object({
    code: z
      .string()
      .max(200)
      .optional()
      .describe('The code in the link that aggregator-mcp console prints.'),
  })
  .meta({ id: 'SignIn' })

export const signedIn = z
  .object({
    proof: z.string().describe('Send it in the header x-pith-proof, along with the cookie.'),
  })
  .meta({ id: 'SignedIn' })
