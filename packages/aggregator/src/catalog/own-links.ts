import { hasApp, withAppUri } from '#servers/protocol/apps'
import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import { type OwnedAddress, ownUri, schemeOf } from './owned-addresses.ts'
import type { ToolView } from './tool-view.ts'

/** How the URIs of a server are shown to the clients of a view. */
export const uriShownBy = (
  server: OwnedAddress['server'],
  view: ToolView,
): ((uri: string) => string) => {
  const { name, account } = server
  const isOther = account !== undefined && view.accountsOf(name)[0] !== account
  return (uri) => ownUri(uri, server, { isOther, withServer: view.withServer })
}

/** A result whose links and app lead back to the server and account that it is from. */
export function withOwnLinks(
  result: JsonObject,
  server: OwnedAddress['server'],
  viewNow: () => ToolView,
): JsonObject {
  const { content } = result
  const isLinked = Array.isArray(content) && content.some(isLink)
  if (!isLinked && (result['_meta'] === undefined || !hasApp(result))) return result
  const expose = uriShownBy(server, viewNow())
  const withApp = withAppUri(result, expose)
  return isLinked ? { ...withApp, content: content.map((block) => linked(block, expose)) } : withApp
}

const isLink = (block: unknown): block is JsonObject =>
  isJsonObject(block) && (block['type'] === 'resource_link' || block['type'] === 'resource')

function linked(block: unknown, expose: (uri: string) => string): unknown {
  if (!isLink(block)) return block
  const { uri, resource } = block
  if (typeof uri === 'string') return { ...block, uri: expose(uri) }
  if (!isJsonObject(resource) || typeof resource['uri'] !== 'string') return block
  return { ...block, resource: { ...resource, uri: expose(resource['uri']) } }
}

/** The owner of a URI that is not listed, by the prefix that it got. */
export function ownerByPrefix(view: ToolView, uri: string): OwnedAddress | undefined {
  const [, scheme, first, path] = /^(ui:\/\/|skill:\/\/)([^/]*)\/(.*)$/s.exec(uri) ?? []
  const [, ofAccount, innerUri] = /^([^:+]*)\+(.*)$/s.exec(uri) ?? []
  const keepsScheme = scheme !== undefined
  const prefix = keepsScheme ? first : ofAccount
  if (prefix === undefined || (keepsScheme && !view.withServer)) return undefined
  const address = keepsScheme ? `${scheme}${path}` : `${innerUri}`
  for (const server of view.servers) {
    if (schemeOf(server, false) === prefix) return { server, address }
    for (const account of view.accountsOf(server.name).slice(1)) {
      const unit = view.withAccount(server.name, account)
      if (unit && schemeOf(unit, true) === prefix) return { server: unit, address }
    }
  }
  return undefined
}
