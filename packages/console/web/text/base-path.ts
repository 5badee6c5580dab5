/**
 * The prefix of all addresses behind a proxy that strips it: empty, or `/prefix`. Scripts are one
 * folder below the page.
 */
export const basePath: string = basePathOf(import.meta.url)

export function basePathOf(script: string): string {
  const { protocol, pathname } = new URL('..', script)
  return /^https?:$/.test(protocol) ? pathname.replace(/\/$/, '') : ''
}

/** The path of a page below the base; `/` if it is not below it. */
export function pathBelow(base: string, pathname: string): string {
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : '/'
}
