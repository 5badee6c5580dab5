import { OAuthError } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { type OAuthWorldOptions, openOAuthWorld } from './oauth-world.ts'

/** A world with two MCP servers, for one test. */
export async function open(options: Partial<OAuthWorldOptions<'notes' | 'mail'>> = {}) {
  const world = await openOAuthWorld({ servers: { notes: {}, mail: {} }, ...options })
  onTestFinished(world.close)
  return world
}

/** What an error of OAuth is called; others as they are. */
export const codeOf = (error: unknown): unknown =>
  OAuthError.isInstance(error) ? error.code : error
