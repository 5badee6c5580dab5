import { BlockList, isIP } from 'node:net'
import { hostForm } from '#servers/config/permission-settings'
import { isText, loose, readingsOf } from './readings.ts'
import type { Verdict } from './verdicts.ts'

interface Place {
  scheme: string
  host: string
  port: string
}

const defaultPorts: Readonly<Record<string, string>> = {
  ...{ http: '80', ws: '80', https: '443', wss: '443', ftp: '21', ssh: '22' },
}
/** Schemes whose hosts the URL standard reads, as addresses too. */
const special = ['http', 'https', 'ws', 'wss', 'ftp']

/** An address that is mapped into IPv6 is the one of IPv4. A name ends without a dot. */
function hostIn({ hostname }: URL): string {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const [, high = '', low = ''] =
    /^(?:(?:::(?:ffff:(?:0:)?)?|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})|2002:([\da-f]{1,4}):([\da-f]{1,4}):.*)$/i
      .exec(host)
      ?.filter((part) => part !== undefined) ?? []
  if (high === '') return host
  const bytes = [high, low].flatMap((text) => {
    const word = Number.parseInt(text, 16)
    return [word >> 8, word & 255]
  })
  return bytes.join('.')
}

/** By the URL standard, whatever its scheme; a text without one is read as of HTTP. */
function parsed(text: string): { url: URL; scheme: string } | undefined {
  const [, name = '', rest = text] = /^([a-z][\w+.-]*):(?=[\\/])(.*)$/is.exec(text) ?? []
  const scheme = name.toLowerCase()
  const url = `${special.includes(scheme) ? scheme : 'http'}:${/^[\\/]/.test(rest) ? '' : '//'}${rest}`
  return URL.canParse(url) ? { url: new URL(url), scheme } : undefined
}

/** Host, port, path and query of a URL, as they are compared: as it is, and as servers tidy a path. */
export function addressesOf(text: string): string[] {
  const { url } = parsed(text) ?? {}
  if (url === undefined) return []
  const host = `${hostIn(url)}${url.port && `:${url.port}`}`
  const tidy = new URL('http://x')
  tidy.pathname = url.pathname.replace(/;[^/]*/g, '').replace(/[\\/]{2,}/g, '/')
  const paths = [url.pathname, tidy.pathname.replace(/\/{2,}/g, '/')]
  return paths.map((path) => loose(`${host}${path}${url.search}`))
}

function placeIn(text: string): Place | undefined {
  const { url, scheme = '' } = parsed(text) ?? {}
  return url && { scheme, host: hostIn(url), port: url.port || (defaultPorts[scheme] ?? '') }
}

/** Where a text leads, whatever a parser takes for the end of the user and of the host. */
function placesIn(text: string): (Place | undefined)[] {
  const [, begin = '', authority = ''] = /^([^\\/]*[\\/]+)?([^/]*)/.exec(text) ?? []
  const parts = authority.split(/[\\@?#;'"`{}|^<>]/).filter(Boolean)
  const others = parts.length > 1 ? parts.map((part) => begin + part) : []
  // Some take octets with zeros for decimal ones.
  if (/(?:^|[@.])0\d/.test(authority))
    others.push(begin + authority.replace(/(^|[@.])0+(?=\d)/g, '$1'))
  return [text, ...others].map(placeIn)
}

function isPlace({ scheme, host, port }: Place, pattern: string): boolean {
  const [, ofScheme, ofHost = '', ofPort] = hostForm.exec(pattern) ?? []
  // Without a scheme, it may be any.
  if (ofScheme !== undefined && scheme !== '' && ofScheme.toLowerCase() !== scheme) return false
  if (ofPort !== undefined && port !== '' && ofPort !== port) return false
  const [wanted = '', bits] = ofHost.replace(/[[\]]/g, '').split('/')
  const family = isIP(host)
  if (bits !== undefined || isIP(wanted) !== 0) {
    const kind = isIP(wanted) === 4 ? 'ipv4' : 'ipv6'
    if (family === 0 || isIP(wanted) === 0) return false
    const range = new BlockList()
    range.addSubnet(wanted, bits === undefined ? (kind === 'ipv4' ? 32 : 128) : Number(bits), kind)
    return range.check(host, family === 4 ? 'ipv4' : 'ipv6')
  }
  return family === 0 ? isName(host, wanted) : wanted === '*'
}

/** `*` as the first label stands for one label or more, elsewhere for one. */
function isName(host: string, pattern: string): boolean {
  const labels = host.toLowerCase().split('.')
  const wanted = (parsed(pattern.replaceAll('*', 'x-any'))?.url.hostname ?? pattern)
    .replaceAll('x-any', '*')
    .split('.')
  const isOpen = wanted[0] === '*'
  if (isOpen ? labels.length < wanted.length : labels.length !== wanted.length) return false
  const last = labels.slice(labels.length - wanted.length)
  return wanted.every((label, at) => label === '*' || label === last[at])
}

/** The host of a URL, with its port and scheme if a pattern has one. Other texts have none. */
export function judgeHost(value: unknown, patterns: readonly string[]): Verdict {
  if (!isText(value)) return undefined
  const isOne = (place: Place): boolean => patterns.some((pattern) => isPlace(place, pattern))
  const [own] = placesIn(value.trim())
  const all = [value, ...readingsOf(value)].flatMap(placesIn)
  const isPlain = /^[a-z][\w+.-]*:\/\/[\p{L}\p{N}_.:[\]-]+(?:[/?#][^\r\n\t]*)?$/iu.test(value)
  if (isPlain && own && all.every((place) => place && isOne(place))) return true
  if (all.some((place) => place && isOne(place))) return undefined
  // A parser that is more lenient may find a host, but not in `data:` and `urn:`.
  const mayHaveHost = /[\\/]{2}|^\s*(?:https?|wss?|ftp|file):/i.test(value)
  return own === undefined && mayHaveHost ? undefined : false
}
