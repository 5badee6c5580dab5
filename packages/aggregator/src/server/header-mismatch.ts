import type { Gateway } from '../catalog/gateway.ts'
import type { Access } from '../protocol/exchange.ts'
import type { Fields } from '../protocol/message.ts'
import { metaKeys } from '../protocol/meta-keys.ts'
import { paramHeaders } from '../upstream/transport/param-headers.ts'
import type { Incoming } from './listening.ts'

/**
 * What differs between headers that carry parameters and the parameters themselves, for tools that
 * are called by their own names: whoever routes by the headers must be able to trust them.
 */
export function headerMismatch(
  headers: Headers,
  { method, params }: Incoming,
  gateway: Gateway,
  access: Access | undefined,
): string | undefined {
  if (method !== 'tools/call') return undefined
  const meta = (params?.['_meta'] ?? {}) as Fields
  const given = meta[metaKeys.capabilities]
  // What is wrong with the envelope is said by the SDK.
  if (typeof given !== 'object' || given === null) return undefined
  const capabilities = given as Fields
  const offer = gateway
    .viewFor({ session: { access }, capabilities })
    .toolCalled(String(params?.['name']))
  if (offer === undefined) return undefined
  const expected = paramHeaders(offer.definition, params?.['arguments'])
  for (const [name, value] of Object.entries(expected)) {
    const given = headers.get(name)
    if (given === null) return `The header ${name} is missing.`
    if (given.trim() !== value && decoded(given) !== decoded(value))
      return `The header ${name} does not agree with the parameter.`
  }
  return undefined
}

function decoded(value: string): string {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value.trim()) ?? []
  return base64 === undefined ? value.trim() : Buffer.from(base64, 'base64').toString('utf8')
}
