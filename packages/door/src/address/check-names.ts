import type { IncomingMessage } from 'node:http'
import { RefusedError } from '../refusals/refused-error.ts'

/** From where a browser may ask: any port of our names, or the very origin it asks at. */
export type OriginRule = 'names' | 'same'

export interface Names {
  /** `host` in lower case, IPv6 in brackets, without ports. */
  readonly names: ReadonlySet<string>
  /** Of the address by which browsers come, where it is another than that of the request. */
  readonly publicOrigin: string | undefined
}

/** A page elsewhere may have given its name our address. @throws {RefusedError} */
export function checkHost({ headers, rawHeaders }: IncomingMessage, { names }: Names): void {
  const { host } = headers
  if (host === undefined || countOf(rawHeaders, 'host') !== 1)
    throw new RefusedError('host', 400, 'One Host header is needed.')
  if (!names.has(nameIn(host)))
    throw new RefusedError('host', 403, 'This server is not known by that name.')
}

/** @throws {RefusedError} for an origin that is none of ours */
export function checkOrigin({ headers }: IncomingMessage, rule: OriginRule, names: Names): void {
  const { origin, host = '' } = headers
  if (origin === undefined || origin === '') return
  const isOurs = rule === 'names' ? isNamed(origin, names) : isSame(origin, host, names)
  if (!isOurs) throw new RefusedError('origin', 403, 'Pages of that origin may not ask.')
}

function isNamed(origin: string, { names, publicOrigin }: Names): boolean {
  const url = parsed(origin)
  return url !== undefined && (names.has(url.hostname) || url.origin === publicOrigin)
}

function isSame(origin: string, host: string, { publicOrigin }: Names): boolean {
  const url = parsed(origin)
  if (url === undefined || !/^https?:$/.test(url.protocol)) return false
  if (url.origin === publicOrigin) return true
  // Known to be spoken over TLS, a page without it is not ours.
  if (publicOrigin !== undefined && url.host === new URL(publicOrigin).host) return false
  // A proxy may speak TLS for us: what matters is the name and the port.
  return url.host === parsed(`${url.protocol}//${host}`)?.host
}

function nameIn(host: string): string {
  // Most come as they are kept.
  const [, plain] = /^([a-z0-9.-]+)(?::\d{1,5})?$/.exec(host) ?? []
  return plain ?? parsed(`http://${host}`)?.hostname ?? ''
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const found = rawHeaders[at]
    if (found?.length === name.length && found.toLowerCase() === name) count++
  }
  return count
}
