import type { IncomingHttpHeaders } from 'node:http'
import { type JsonObject, metaKeys } from '#servers/protocol/message'
import type { Access } from '#servers/protocol/request-context'
import type { Gateway } from '../catalog/gateway.ts'
import { paramHeaders } from '../upstream/transport/param-headers.ts'
import type { PlainRequest } from './plain-request.ts'
import type { Incoming } from './subscription-streams.ts'

/**
 * Compares headers that carry parameters with the parameters, for tools that are called by their
 * own names: proxies route by these headers and must be able to trust them.
 */
export function headerMismatch(
  headerOf: (name: string) => string | null,
  { method, params }: Incoming,
  gateway: Gateway,
  access: Access | undefined,
): string | undefined {
  if (method !== 'tools/call') return undefined
  const meta = (params?.['_meta'] ?? {}) as JsonObject
  const declared = meta[metaKeys.capabilities]
  // The SDK reports an invalid envelope.
  if (typeof declared !== 'object' || declared === null) return undefined
  const capabilities = declared as JsonObject
  const tool = gateway
    .viewFor({ session: { access }, capabilities })
    .toolCalled(String(params?.['name']))
  if (tool === undefined) return undefined
  const expected = paramHeaders(tool.definition, params?.['arguments'])
  for (const [name, value] of Object.entries(expected)) {
    const header = headerOf(name)
    if (header === null) return `The header ${name} is missing.`
    if (header.trim() !== value && decoded(header) !== decoded(value))
      return `The header ${name} differs from the parameter.`
  }
  return undefined
}

/** Headers of 2026 as most clients write them; the SDK judges all others. */
export function isAsItsHeaders(
  { method, params, envelope }: PlainRequest,
  headers: IncomingHttpHeaders,
): boolean {
  const name = method === 'resources/read' ? params['uri'] : params['name']
  return (
    headers['mcp-protocol-version'] === envelope?.[metaKeys.version] &&
    headers['mcp-method'] === method &&
    headers['mcp-name'] === name
  )
}

function decoded(value: string): string {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value.trim()) ?? []
  return base64 === undefined ? value.trim() : Buffer.from(base64, 'base64').toString('utf8')
}
