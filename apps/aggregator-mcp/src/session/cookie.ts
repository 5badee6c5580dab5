import type { IncomingMessage } from 'node:http'

/** Cookies do not tell ports apart. */
export const cookieName = (port: number): string => `pith_console_${port}`

const mostTried = 10

/** All of that name: there may be several, of other paths. */
export function cookiesIn({ headers }: IncomingMessage, name: string): string[] {
  const values = (headers.cookie ?? '').split(';').flatMap((part) => {
    const at = part.indexOf('=')
    return at > 0 && part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : []
  })
  return values.slice(0, mostTried)
}

/** A `Set-Cookie` that no script reads and no other site sends; with an empty value it is removed. */
export function setCookie(name: string, value: string, isSecure: boolean): string {
  const end = value === '' ? '; Max-Age=0' : ''
  return `${name}=${value}; Path=/${end}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}
