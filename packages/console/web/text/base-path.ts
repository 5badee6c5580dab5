/**
 * What stands before the addresses of the console, behind a proxy that takes it off: empty, or
 * `/prefix`. Files of scripts lie one folder below the page.
 */
export const basePath: string = basePathOf(import.meta.url)

export function basePathOf(script: string): string {
  const { protocol, pathname } = new URL('..', script)
  return /^https?:$/.test(protocol) ? pathname.replace(/\/$/, '') : ''
}
