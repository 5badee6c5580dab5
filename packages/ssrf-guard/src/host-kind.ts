import { isIP } from 'node:net'
import { type AddressKind, addressKind } from './address-kind.ts'

const loopbackName = /(?:^|\.)localhost$/i
const localName = /(?:^|\.)(?:localhost|localdomain|local|internal)$/i
const privateName = /(?:^|\.)(?:corp|home|home\.arpa|intranet|lan|private)$/i
/** Names of cloud metadata services, which return credentials. */
const metadataName = /^(?:metadata|metadata\.goog|instance-data|metadata\.google\.internal)$/i

/** A host without brackets and the trailing dot, from a URL or as written. */
export const bareHost = (host: string): string => host.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** True for a name that is local by convention. */
export const isLocalName = (host: string): boolean => localName.test(bareHost(host))

/** The kind of a host as far as it is known without resolving it; undefined for most names. */
export function hostKind(host: string): AddressKind | undefined {
  const name = bareHost(host)
  if (isIP(name) !== 0) return addressKind(name)
  if (metadataName.test(name)) return 'forbidden'
  if (loopbackName.test(name)) return 'loopback'
  if (isLocalName(name) || privateName.test(name) || !name.includes('.')) return 'private'
  return undefined
}
