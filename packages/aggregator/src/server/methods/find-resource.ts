import { hasBlanks } from '#servers/protocol/normal-uri'
import { qualifiedName, safeName } from '#servers/protocol/server-account'
import type { Gateway } from '../../catalog/gateway.ts'
import type { OwnedAddress } from '../../catalog/owned-addresses.ts'
import {
  blankError,
  heldError,
  isHeldAddress,
  ownerOfUri,
  unknownOwner,
} from '../../catalog/resource-gate.ts'
import { type Client, findOrDiscover } from './discovered.ts'

/**
 * The one gate of requests that name a URI: its server, and the URI there. What the server lists is
 * known before its name is accepted, since it may be held.
 * @throws {RpcError} for a URI that is held, or whose server is not known
 */
export async function findResource(
  uri: string,
  client: Client,
  gateway: Gateway,
): Promise<OwnedAddress> {
  if (hasBlanks(uri)) throw blankError(uri)
  const { session, capabilities } = client
  let owner = await findOrDiscover(client, gateway, (view) => ownerOfUri(uri, view))
  const entry = owner && gateway.catalog.entryOf(qualifiedName(owner.server))
  if (owner !== undefined && entry === undefined) {
    await gateway.discovery.readUnlessCurrent(owner.server, session, capabilities)
    owner = ownerOfUri(uri, gateway.viewFor(client))
  }
  const view = gateway.viewFor(client)
  if (owner === undefined) throw unknownOwner(uri, view)
  if (isHeldAddress(owner, view)) {
    const unit = qualifiedName(owner.server)
    throw heldError(uri, gateway.remedies.approveTool(unit, safeName(owner.address)))
  }
  return owner
}
