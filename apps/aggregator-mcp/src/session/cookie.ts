import type { IncomingMessage } from 'node:http'

/** Includes the port, since cookies are shared by all ports of a host. */
export const cookieName = (port: number): string => `pith_console_${port}`

/** Cookies of one name to try. */
const maxTried = 10

/** The values of all cookies of a name: there may be several, set for other paths. */
export function cookiesIn({ headers }: IncomingMessage, name: string): string[] {
  const values = (headers.cookie ?? '').split(';').flatMap((part) => {
    const at = part.indexOf('=')
    return at > 0 && part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : []
  })
  return values.slice(0, maxTried)
}

/** A `Set-Cookie` header that scripts cannot read and other sites do not send. An empty value deletes it. */
export function setCookie(name: string, value: string, isSecure: boolean): string {
  const end = value === '' ? '; Max-Age=0' : ''
  return `${name}=${value}; Path=/${end}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}
