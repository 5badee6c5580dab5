import { z } from 'zod'

/** For servers that require a sign-in; what is missing is discovered. */
export const oauthSettings = z.strictObject({
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(1).optional(),
  /**
   * The authorization server that `clientSecret` belongs to. Default: the first one that the server
   * names.
   */
  issuer: z.url({ protocol: /^https?$/ }).optional(),
  scope: z.string().min(1).optional(),
  /** Port of the redirect URI on this machine; a registered client may require a fixed one. */
  port: z.number().int().min(1_024).max(65_535).optional(),
})

export type OauthSettings = z.output<typeof oauthSettings>
