import type { ServerConfig } from '../config/server-config.ts'
import type { JsonObject } from '../protocol/message.ts'
import { type OwnedAddress, schemeOf } from './owned-addresses.ts'
import type { ToolView } from './tool-view.ts'

/**
 * The result of a tool with another account than the default one: its links lead to the resources
 * of that account.
 */
export function withOwnLinks(result: JsonObject, server: ServerConfig, view: ToolView): JsonObject {
  const { content } = result
  if (!Array.isArray(content) || !isOtherAccount(server, view)) return result
  const own = content.map((block) =>
    block?.type === 'resource_link' && typeof block.uri === 'string'
      ? { ...block, uri: `${schemeOf(server, true)}+${block.uri}` }
      : block,
  )
  return { ...result, content: own }
}

const isOtherAccount = ({ name, account }: ServerConfig, view: ToolView): boolean =>
  account !== undefined && view.accountsOf(name)[0] !== account

/** The owner of a URI that is not listed, with another account than the default one. */
export function ownerByScheme(view: ToolView, uri: string): OwnedAddress | undefined {
  const [scheme = '', ...rest] = uri.split('+')
  for (const { name } of view.servers)
    for (const account of view.accountsOf(name).slice(1)) {
      const server = view.withAccount(name, account)
      if (server && schemeOf(server, true) === scheme) return { server, address: rest.join('+') }
    }
  return undefined
}
