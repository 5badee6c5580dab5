import type { Gateway } from '../catalog/gateway.ts'
import type { JsonObject } from '../protocol/message.ts'
import { metaKeys } from '../protocol/meta-keys.ts'
import type { Access } from '../protocol/request-context.ts'
import { paramHeaders } from '../upstream/transport/param-headers.ts'
import type { Incoming } from './subscription-streams.ts'

/**
 * Compares headers that carry parameters with the parameters, for tools that are called by their
 * own names: proxies route by these headers and must be able to trust them.
 */
export function headerMismatch(
  headers: Headers,
  { method, params }: Incoming,
  gateway: Gateway,
  access: Access | undefined,
): string | undefined {
  if (method !== 'tools/call') return undefined
  const meta = (params?.['_meta'] ?? {}) as JsonObject
  const given = meta[metaKeys.capabilities]
  // The SDK reports an invalid envelope.
  if (typeof given !== 'object' || given === null) return undefined
  const capabilities = given as JsonObject
  const tool = gateway
    .viewFor({ session: { access }, capabilities })
    .toolCalled(String(params?.['name']))
  if (tool === undefined) return undefined
  const expected = paramHeaders(tool.definition, params?.['arguments'])
  for (const [name, value] of Object.entries(expected)) {
    const given = headers.get(name)
    if (given === null) return `The header ${name} is missing.`
    if (given.trim() !== value && decoded(given) !== decoded(value))
      return `The header ${name} differs from the parameter.`
  }
  return undefined
}

function decoded(value: string): string {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value.trim()) ?? []
  return base64 === undefined ? value.trim() : Buffer.from(base64, 'base64').toString('utf8')
}
