/** Where a browser ended up. */
export interface Visit {
  /** Every address on the way, the last one included. */
  visited: string[]
  status: number
  /** What is then on the screen. */
  body: string
}

const maxRedirects = 10

/**
 * Opens an address as a browser would that is signed in as `user` at the first of the servers:
 * follows redirects, last to the loopback listener of a client.
 * @throws where a browser shows that nothing answers there.
 */
export async function browse(url: string | URL, user?: string): Promise<Visit> {
  const home = new URL(url).origin
  const visited: string[] = []
  let next: URL | undefined = new URL(url)
  while (next !== undefined && visited.length <= maxRedirects) {
    visited.push(next.href)
    if (!/^https?:$/.test(next.protocol)) throw new Error(`a browser has no ${next.protocol}`)
    const cookie = user !== undefined && next.origin === home ? { cookie: `user=${user}` } : {}
    const response: Response = await fetch(next, {
      redirect: 'manual',
      headers: { accept: 'text/html', ...cookie },
    })
    const body = await response.text()
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || location === null)
      return { visited, status: response.status, body }
    next = new URL(location, next)
  }
  throw new Error('too many redirects')
}
