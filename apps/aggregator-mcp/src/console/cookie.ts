import type { IncomingMessage } from 'node:http'

/** Cookies do not tell ports apart. */
export const cookieName = (port: number): string => `pith_console_${port}`

const idleSeconds = 12 * 3_600

export function cookieIn({ headers }: IncomingMessage, name: string): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}

/** A `Set-Cookie` that no script reads and no other site sends; with an empty value it is removed. */
export function setCookie(name: string, value: string, isSecure: boolean): string {
  const age = value === '' ? 0 : idleSeconds
  return `${name}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}
