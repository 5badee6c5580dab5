import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { bareHost } from './host-kind.ts'

/** The addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** As the operating system resolves names. */
export const resolveBySystem: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)

/** A host has no address that may be connected to. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
  readonly host: string

  constructor(host: string) {
    super(`${host} has no address that may be connected to`)
    this.host = host
  }
}

/**
 * The addresses of a host that may be connected to. Whoever connects must dial one of these, and not
 * resolve the name again: it may lead elsewhere by then.
 *
 * @throws {AddressRefused} if there is none; what `resolve` rejects with
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
