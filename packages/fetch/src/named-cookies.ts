import { type Access, isNamedHost } from './access.ts'
import type { CookieFile } from './cookie-file.ts'

interface CookieOptions {
  access: Access
  cookies?: CookieFile | undefined
}

/**
 * The cookie of a request, unless its headers have one. Cookies of a browser may open anything: a
 * page must not lead to hosts that no one named.
 */
export async function cookieOf(
  url: string,
  headers: Readonly<Record<string, string>>,
  { access, cookies }: CookieOptions,
): Promise<{ cookie?: string }> {
  if (!cookies || !isNamedHost(new URL(url), access)) return {}
  if (Object.keys(headers).some((name) => /^cookie$/i.test(name))) return {}
  const cookie = await cookies.headerFor(url)
  return cookie === undefined ? {} : { cookie }
}

/** What to do about a page that requires a login. */
export async function loginRemedy(
  url: string,
  { access, cookies }: CookieOptions,
): Promise<string> {
  if (!cookies) return 'Read another page, or configure headers or cookies for this host.'
  const place = new URL(url)
  return isNamedHost(place, access)
    ? cookies.remedyFor(url)
    : `Read another page. Cookies are sent only to hosts of sources and of the setting only: add ${place.host} there.`
}
