import type { IncomingMessage } from 'node:http'
import { HttpEndpointError } from '../protocol/http-endpoint-error.ts'
import { RejectedError } from '../rejections/rejections.ts'

/**
 * Allowed origins of pages: `names` allows any port of our names, `same` only the origin of the
 * request.
 */
export type OriginRule = 'names' | 'same'

export interface Names {
  /** Host names in lower case without ports; IPv6 in brackets. */
  readonly names: ReadonlySet<string>
  /** Origin of the public URL, if browsers use another address than that of the request. */
  readonly publicOrigin: string | undefined
}

/**
 * Prevents DNS rebinding: another site's name may resolve to our address. @throws {RejectedError}
 */
export function checkHost({ headersDistinct }: IncomingMessage, { names }: Names): void {
  const [host, ...more] = headersDistinct['host'] ?? []
  if (host === undefined || more.length > 0)
    throw new RejectedError('host', 400, 'Send exactly one Host header.')
  if (!names.has(nameIn(host)))
    throw new RejectedError('host', 403, 'This host name is not allowed.')
}

/** @throws {RejectedError} for a foreign origin */
export function checkOrigin(request: IncomingMessage, rule: OriginRule, names: Names): void {
  const { headers, socket } = request
  const { origin, host = '' } = headers
  if (origin === undefined || origin === '') return
  const isOurs =
    rule === 'names' ? isNamed(origin, names) : isSame(origin, host, names, 'encrypted' in socket)
  if (!isOurs) throw new RejectedError('origin', 403, 'This origin is not allowed.')
}

function isNamed(origin: string, { names, publicOrigin }: Names): boolean {
  const url = parsed(origin)
  return url !== undefined && (names.has(url.hostname) || url.origin === publicOrigin)
}

function isSame(origin: string, host: string, { publicOrigin }: Names, isTls: boolean): boolean {
  const url = parsed(origin)
  if (url === undefined || !/^https?:$/.test(url.protocol)) return false
  if (url.origin === publicOrigin) return true
  // The public origin uses TLS: a page of that host without TLS is not ours.
  if (publicOrigin !== undefined && url.host === new URL(publicOrigin).host) return false
  // We do: a page of this host without TLS is not ours.
  if (isTls && url.protocol !== 'https:') return false
  // A proxy may terminate TLS: only the name and the port matter.
  return url.host === parsed(`${url.protocol}//${host}`)?.host
}

function nameIn(host: string): string {
  // Fast path for most requests.
  const [, name] = /^([a-z0-9.-]+)(?::\d{1,5})?$/.exec(host) ?? []
  return name ?? parsed(`http://${host}`)?.hostname ?? ''
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

/**
 * Parses the address to listen at; the default host is 127.0.0.1. @throws {HttpEndpointError}
 * `bad_address`
 */
export function parseAddress(address: string): { host: string; port: number } {
  const [, host = '127.0.0.1', digits = ''] =
    /^(?:(\[[^\]]+\]|[^:]+):)?(\d{1,5})$/.exec(address) ?? []
  const port = Number(digits)
  if (digits === '' || port > 65_535)
    throw new HttpEndpointError(
      'bad_address',
      `${address} is not an address. Write PORT or HOST:PORT.`,
    )
  return { host, port }
}

const ownNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Only this machine can reach it. */
export const isLoopback = (host: string): boolean => ownNames.includes(host) || host === '::1'

/** Allowed host names: loopback names, the host to listen at, and others. */
export const namesOf = (host: string, extraNames: readonly string[]): ReadonlySet<string> =>
  new Set([...ownNames, host, ...extraNames].map((name) => name.toLowerCase()))
