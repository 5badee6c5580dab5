import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Receives the redirect of the browser, on the loopback interface. */
export interface CallbackListener {
  redirectUrl: string
  close(): void
}

const path = '/callback'
const lastMs = 1_000

/**
 * Gets the query parameters of a redirect, and returns the page that the browser shows. `state` names
 * the sign-in.
 */
export type Arrive = (params: URLSearchParams) => Promise<{ status: number; text: string }>

/** Waits for the redirect of one sign-in, with the state of it. */
export type ListenForCallback = (
  port: number,
  arrive: Arrive,
  state: string,
) => Promise<CallbackListener>

/**
 * `arrive` gets the query parameters of the redirect and returns the page that the browser shows.
 * @throws {Error} if the port is in use
 */
export async function listenForCallback(port: number, arrive: Arrive): Promise<CallbackListener> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (request.method !== 'GET' || url.pathname !== path) return show(response, 404, 'Not found.')
    arrive(url.searchParams).then(
      ({ status, text }) => show(response, status, text),
      () => show(response, 500, 'The sign-in failed.'),
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    redirectUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    close() {
      server.close()
      server.closeIdleConnections()
      // Pages being sent get a moment.
      setTimeout(() => server.closeAllConnections(), lastMs).unref()
    },
  }
}

/** `text` must be trusted: it is not escaped. */
export function show(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  })
  response.end(`<!doctype html><title>Sign-in</title><p>${text}</p>`)
}
