import { RpcError, rpcCodes } from '#servers/protocol/message'
import { comparedUri, isNormalUri, schemeIn } from '#servers/protocol/normal-uri'
import { qualifiedName } from '#servers/protocol/server-account'
import { matchesTemplate } from '#servers/protocol/uri-template'
import { ownerByPrefix } from './own-links.ts'
import { type OwnedAddress, schemeOf } from './owned-addresses.ts'
import type { ToolView } from './tool-view.ts'

/**
 * Where a URI is read, whatever the method: a listed resource or skill, a URI with the name of its
 * server, the template with the longest literal beginning, or else the only server that lists
 * addresses of this scheme. Undefined if none or several can be meant.
 */
export function ownerOfUri(uri: string, view: ToolView): OwnedAddress | undefined {
  const owner = view.ownerOfResource(uri) ?? view.ownerOfSkill(uri) ?? ownerByPrefix(view, uri)
  // These schemes name the server in each address.
  if (owner !== undefined || (view.withServer && /^(?:ui|skill):/i.test(uri))) return owner
  return only(byTemplate(uri, view)) ?? only(byScheme(uri, view))
}

const only = (owners: readonly OwnedAddress[]): OwnedAddress | undefined =>
  owners.length === 1 ? owners[0] : undefined

/** The owners of the templates that fit best. */
function byTemplate(uri: string, view: ToolView): OwnedAddress[] {
  const fitting = view.resourceTemplates.flatMap(({ uriTemplate }) => {
    const template = String(uriTemplate)
    const owner = matchesTemplate(template, uri) ? view.ownerOfTemplate(template) : undefined
    if (owner === undefined) return []
    // With a prefixed scheme, the URI at the server follows the prefix.
    const address = uri.slice(template.length - owner.address.length)
    return [{ server: owner.server, address, literal: template.indexOf('{') }]
  })
  const longest = Math.max(...fitting.map(({ literal }) => literal))
  const best = fitting.filter(({ literal }) => literal === longest)
  return [...new Map(best.map((owner) => [qualifiedName(owner.server), owner])).values()]
}

const byScheme = (uri: string, view: ToolView): OwnedAddress[] => {
  const scheme = schemeIn(uri)
  return view.servers
    .filter((server) => scheme !== undefined && view.schemesOf(server).has(scheme))
    .map((server) => ({ server, address: uri }))
}

/** Servers that an error names. */
const maxNamed = 5

/** The error for a URI whose server is not known, with the form that names it. */
export function unknownOwner(uri: string, view: ToolView): RpcError {
  const fitting = byTemplate(uri, view)
  const matched = fitting.length > 0 ? fitting : byScheme(uri, view)
  const owners =
    matched.length > 0
      ? matched
      : view.servers
          .filter(({ name }) => view.entryOf(name)?.capabilities['resources'] !== undefined)
          .map((server) => ({ server, address: uri }))
  const forms = owners.slice(0, maxNamed).map(({ server }) => `${schemeOf(server, false)}+${uri}`)
  const why =
    matched.length > 0 ? 'several servers may have it' : 'no server lists it, or its scheme'
  const remedy =
    forms.length === 0
      ? ''
      : ` Name the server: ${forms.join(', ')}${owners.length > maxNamed ? ', …' : ''}.`
  return new RpcError(rpcCodes.invalidParams, `Resource not found: ${uri}: ${why}.${remedy}`, {
    uri,
  })
}

/**
 * True if the address is that of a resource or skill that is held, in any spelling, or lies in the
 * folder of such a skill.
 */
export function isHeldAddress({ server, address }: OwnedAddress, view: ToolView): boolean {
  const unit = qualifiedName(server)
  const items = view.held.filter((item) => qualifiedName(item.server) === unit)
  if (items.length === 0) return false
  const scheme = schemeIn(address)
  if (!isNormalUri(address) && items.some((item) => schemeIn(item.address) === scheme)) return true
  const compared = comparedUri(address)
  return items.some((item) => {
    const itemUri = comparedUri(item.address)
    const folder = item.isFolder ? itemUri.slice(0, itemUri.lastIndexOf('/') + 1) : undefined
    return (
      compared === itemUri ||
      (folder !== undefined && (compared.startsWith(folder) || `${compared}/` === folder))
    )
  })
}

export const blankError = (uri: string): RpcError =>
  new RpcError(
    rpcCodes.invalidParams,
    `${JSON.stringify(uri)} has blanks or control characters. Encode them, such as %20.`,
    { uri },
  )

export const heldError = (uri: string, remedy: string): RpcError =>
  new RpcError(
    rpcCodes.invalidParams,
    `${uri} is held: its definition is new, has changed, or hides text. ${remedy}`,
    { uri },
  )
