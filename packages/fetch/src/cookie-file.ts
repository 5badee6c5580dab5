import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import { DocsError, quoteValue } from '#formats/docs-error'

interface Cookie {
  host: string
  /** False if it is also for the subdomains of the host. */
  isHostOnly: boolean
  path: string
  isSecure: boolean
  /** Milliseconds since 1970; infinite for a cookie of a session. */
  ends: number
  name: string
  value: string
}

/** The cookies of a file. */
interface CookieJar {
  cookies: readonly Cookie[]
  /** Lines that are no cookies. */
  malformed: number
  /** Cookies past the limit, which are not read. */
  more: number
  /** Differs when a cookie does; tells nothing about their values. */
  identity: string
}

/** Numbers of cookies, for a person who checks the settings. */
export interface CookieSummary extends Pick<CookieJar, 'malformed' | 'more'> {
  cookies: number
  ended: number
  hosts: readonly string[]
}

/** In bytes, of a cookie file. */
const maxBytes = 2 ** 20
/** Which a browser keeps at least (RFC 6265, 6.1). */
const maxCookies = 3_000

/** Cookies in the format of Netscape, as curl, wget and browsers write it. Read again when it changes. */
export class CookieFile {
  readonly #path: string
  #last: { stamp: string; jar: CookieJar } | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** @throws {DocsError} for a file that cannot be read, is too large, or that others may read. */
  async read(): Promise<CookieJar> {
    const path = this.#path
    const stats = await stat(path).catch((cause) => {
      throw fileError('not_found', path, `could not be opened: ${cause.code ?? cause}`, { cause })
    })
    const { ino, mtimeMs, size, mode } = stats
    if (!stats.isFile()) throw fileError('not_found', path, 'is not a file')
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new DocsError(
        'not_allowed',
        `Other users may read or write the cookie file ${quoteValue(path)} (mode ${(mode & 0o777).toString(8)}).`,
        `Run: chmod 600 ${path}`,
      )
    if (size > maxBytes) throw fileError('too_large', path, `is larger than ${maxBytes >> 20} MB`)
    const stamp = `${ino}:${mtimeMs}:${size}`
    if (this.#last?.stamp !== stamp) {
      const text = await readFile(path, 'utf8').catch((cause) => {
        throw fileError('not_found', path, `could not be read: ${cause.code ?? cause}`, { cause })
      })
      this.#last = { stamp, jar: parseCookies(text) }
    }
    return this.#last.jar
  }

  async summary(): Promise<CookieSummary> {
    const { cookies, malformed, more } = await this.read()
    const ended = cookies.filter(hasEnded).length
    const hosts = [...new Set(cookies.map(({ host }) => host))]
    return { cookies: cookies.length, ended, hosts, malformed, more }
  }

  /** The `Cookie` header of a request (RFC 6265, 5.4); undefined without cookies for the URL. */
  async headerFor(url: string): Promise<string | undefined> {
    const { cookies } = await this.read()
    const sent = cookies
      .filter((cookie) => isFor(cookie, url) && !hasEnded(cookie))
      .sort((a, b) => b.path.length - a.path.length)
    return sent.map(({ name, value }) => `${name}=${value}`).join('; ') || undefined
  }

  /** Why a URL requires a login although there is this file, and what to do. */
  async remedyFor(url: string): Promise<string> {
    const { hostname } = new URL(url)
    const { cookies } = await this.read()
    const ofHost = cookies.filter((cookie) => isForHost(cookie, hostname))
    const ended = ofHost.filter(hasEnded)
    const again = 'Sign in in a browser, and write the file of the setting cookies again.'
    if (ofHost.length === 0)
      return `The file of the setting cookies has none for ${hostname}. ${again}`
    if (ended.length > 0) {
      const last = new Date(Math.max(...ended.map(({ ends }) => ends)))
      const which = ended.length === ofHost.length ? 'The' : `${ended.length} of the`
      return `${which} cookies for ${hostname} ended on ${last.toISOString().slice(0, 10)}. ${again}`
    }
    return ofHost.some((cookie) => isFor(cookie, url))
      ? `The site does not accept the cookies for ${hostname}. ${again}`
      : `The cookies for ${hostname} are for other paths, or for https only. ${again}`
  }
}

const fileError = (
  code: 'not_found' | 'too_large',
  path: string,
  problem: string,
  options: ErrorOptions = {},
): DocsError =>
  new DocsError(
    code,
    `The cookie file ${quoteValue(path)} ${problem}.`,
    'Check the setting cookies: it names a file such as browsers and curl write, cookies.txt.',
    options,
  )

function parseCookies(text: string): CookieJar {
  const cookies: Cookie[] = []
  let malformed = 0
  let more = 0
  for (const line of text.split(/\r?\n/)) {
    // What browsers hide from scripts has this mark in front.
    const record = line.replace(/^#HttpOnly_/, '')
    if (record.trim() === '' || record.startsWith('#')) continue
    const cookie = parseCookie(record)
    if (!cookie) malformed++
    else if (cookies.length < maxCookies) cookies.push(cookie)
    else more++
  }
  const identity = createHash('sha256').update(JSON.stringify(cookies)).digest('hex').slice(0, 32)
  return { cookies, malformed, more, identity }
}

/** Characters that a header may have and that do not end a value. */
const fieldText = /^[\x20-\x3a\x3c-\x7e]*$/

/** A line of seven fields; an empty value may lack its tab. */
function parseCookie(line: string): Cookie | undefined {
  const fields = line.split('\t')
  const [domain = '', subdomains = '', path = '', secure = '', end = '', name = '', value = ''] =
    fields
  const address = `http://${domain.replace(/^\./, '')}`
  if (fields.length !== 6 && fields.length !== 7) return undefined
  const isWhole =
    [subdomains, secure].every((flag) => /^(?:TRUE|FALSE)$/i.test(flag)) &&
    path.startsWith('/') &&
    /^\d{1,15}(?:\.\d+)?$/.test(end) &&
    name !== '' &&
    [name, value].every((part) => fieldText.test(part))
  if (!isWhole || !URL.canParse(address)) return undefined
  const ends = Number(end) === 0 ? Number.POSITIVE_INFINITY : Number(end) * 1_000
  return {
    host: new URL(address).hostname,
    isHostOnly: /^FALSE$/i.test(subdomains),
    path,
    isSecure: /^TRUE$/i.test(secure),
    // The last moment that a date can name.
    ends: Number.isFinite(ends) ? Math.min(ends, 8.64e15) : ends,
    name,
    value,
  }
}

const hasEnded = ({ ends }: Cookie): boolean => ends <= Date.now()

/** Domain-match (RFC 6265, 5.1.3): the end of an address is not a domain. */
const isForHost = ({ host, isHostOnly }: Cookie, hostname: string): boolean =>
  hostname === host || (!isHostOnly && hostname.endsWith(`.${host}`) && isIP(hostname) === 0)

/** Path-match (RFC 6265, 5.1.4), and secure cookies over https only, on loopback too. */
function isFor(cookie: Cookie, url: string): boolean {
  const { hostname, pathname, protocol } = new URL(url)
  const { path, isSecure } = cookie
  const isBelow = pathname.startsWith(path) && (path.endsWith('/') || pathname[path.length] === '/')
  const isPath = pathname === path || isBelow
  return isForHost(cookie, hostname) && isPath && (!isSecure || protocol === 'https:')
}

/** What is in a cookie file. @throws {DocsError} for a file that is not used. */
export const readCookieFile = (path: string): Promise<CookieSummary> =>
  new CookieFile(path).summary()
