/**
 * What stands before the addresses of the console, behind a proxy that takes it off: empty, or
 * `/prefix`. Files of scripts lie one folder below the page.
 */
export const basePath: string = basePathOf(import.meta.url)

export function basePathOf(script: string): string {
  const { protocol, pathname } = new URL('..', script)
  return /^https?:$/.test(protocol) ? pathname.replace(/\/$/, '') : ''
}

/** The address of a page below the base; `/` if it does not lie there. */
export function pathBelow(base: string, pathname: string): string {
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : '/'
}
