import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { bareHost } from './host-kind.ts'

/** Resolves the addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** Resolves names by the operating system. */
export const resolveBySystem: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/** No address of the host is allowed. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
  readonly host: string

  constructor(host: string) {
    super(`${host} has no address to which connections are allowed`)
    this.host = host
  }
}

/**
 * The allowed addresses of a host. Connect to one of these and do not resolve the name again,
 * because it may resolve to another address then (DNS rebinding).
 *
 * @throws {AddressRefused} if no address is allowed; otherwise the error of `resolve`.
 */
export async function resolveAllowed(
  host: string,
  isAllowed: (address: string) => boolean,
  resolve: Resolve = resolveBySystem,
): Promise<readonly string[]> {
  const name = bareHost(host)
  const addresses = isIP(name) === 0 ? await resolve(name) : [name]
  const allowed = addresses.filter(isAllowed)
  if (allowed.length === 0) throw new AddressRefused(name)
  return allowed
}
