import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client'

/** The challenge of a 401 or 403. */
export interface Challenge {
  resourceMetadataUrl?: string | undefined
  scope?: string | undefined
}

export function challengeIn(response: Response): Challenge {
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
  return { resourceMetadataUrl: resourceMetadataUrl?.href, scope }
}
