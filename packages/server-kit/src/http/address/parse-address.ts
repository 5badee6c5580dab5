import { HttpEndpointError } from '../protocol/http-endpoint-error.ts'

/**
 * Parses the address to listen at; the default host is 127.0.0.1. @throws {HttpEndpointError}
 * `bad_address`
 */
export function parseAddress(address: string): { host: string; port: number } {
  const [, host = '127.0.0.1', digits = ''] =
    /^(?:(\[[^\]]+\]|[^:]+):)?(\d{1,5})$/.exec(address) ?? []
  const port = Number(digits)
  if (digits === '' || port > 65_535)
    throw new HttpEndpointError(
      'bad_address',
      `${address} is not an address. Write PORT or HOST:PORT.`,
    )
  return { host, port }
}

const ownNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Only this machine can reach it. */
export const isLoopback = (host: string): boolean => ownNames.includes(host) || host === '::1'

/** Allowed host names: loopback names, the host to listen at, and others. */
export const namesOf = (host: string, others: readonly string[]): ReadonlySet<string> =>
  new Set([...ownNames, host, ...others].map((name) => name.toLowerCase()))
