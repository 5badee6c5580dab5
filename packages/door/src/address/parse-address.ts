import { DoorError } from '../door-error.ts'

/** Where to listen. Without a host it is this machine only. @throws {DoorError} `bad_address` */
export function parseAddress(address: string): { host: string; port: number } {
  const [, host = '127.0.0.1', digits = ''] =
    /^(?:(\[[^\]]+\]|[^:]+):)?(\d{1,5})$/.exec(address) ?? []
  const port = Number(digits)
  if (digits === '' || port > 65_535)
    throw new DoorError('bad_address', `${address}: write it as PORT or HOST:PORT.`)
  return { host, port }
}

const ownNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Only this machine reaches it. */
export const isLoopback = (host: string): boolean => ownNames.includes(host) || host === '::1'

/** Names under which the server is reached: those of this machine, of where it listens, and others. */
export const namesOf = (host: string, others: readonly string[]): ReadonlySet<string> =>
  new Set([...ownNames, host, ...others].map((name) => name.toLowerCase()))
