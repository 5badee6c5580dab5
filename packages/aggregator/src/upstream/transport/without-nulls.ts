import { isSpecType } from '@modelcontextprotocol/client'
import { isJsonObject, type JsonObject } from '../../protocol/message.ts'

/** Optional members of results and of what they contain. `ttl` of a task may be null. */
const optional = new Set(
  '_meta annotations audience blob cursor description hasMore icons inputRequests instructions isError lastModified mimeType nextCursor priority requestState resultType size sizes structuredContent text theme title total ttlMs websiteUrl'.split(
    ' ',
  ),
)

/** Members whose objects are of MCP. Those of others, such as `structuredContent`, are of the tool. */
const ofMcp = new Set('annotations completion content contents icons messages resource'.split(' '))

/** Deeper members are left as they are. */
const maxDepth = 6

/**
 * `null` in place of an optional member counts as absent, also in the blocks of a result; what is
 * left unchanged is the same object. In 2026-07-28 `structuredContent` may be null.
 */
export function withoutNulls(result: JsonObject): JsonObject {
  const isModern = typeof result['resultType'] === 'string'
  const kept = isModern ? result['structuredContent'] : undefined
  const mended = strip(result, 0) as JsonObject
  return kept === null ? { ...mended, structuredContent: null } : mended
}

function strip(value: unknown, depth: number): unknown {
  if (depth > maxDepth) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => strip(item, depth + 1))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isJsonObject(value)) return value
  let mended = value
  for (const [key, member] of Object.entries(value)) {
    const isNull = member === null && optional.has(key)
    const inside = ofMcp.has(key) ? strip(member, depth + 1) : member
    if (!isNull && inside === member) continue
    if (mended === value) mended = { ...value }
    if (isNull) delete mended[key]
    else mended[key] = inside
  }
  return mended
}

/**
 * The result of `initialize` or `server/discover` with the members that say something; one that is
 * missing or of a wrong type would refuse the whole server.
 */
export function asHandshake(result: JsonObject): JsonObject {
  const { protocolVersion, supportedVersions, capabilities, serverInfo, instructions } = result
  const isInitialize = typeof protocolVersion === 'string'
  if (!isInitialize && !Array.isArray(supportedVersions)) return result
  const { instructions: _, ...others } = result
  return {
    ...others,
    capabilities: healthyCapabilities(capabilities),
    ...(isInitialize && { serverInfo: healthyInfo(serverInfo) }),
    ...(typeof instructions === 'string' && { instructions }),
  }
}

function healthyCapabilities(given: unknown): JsonObject {
  const capabilities = withoutAnyNull(given, 0)
  if (!isJsonObject(capabilities)) return {}
  return Object.fromEntries(
    Object.entries(capabilities).flatMap(([key, value]) => {
      if (isSpecType.ServerCapabilities({ [key]: value })) return [[key, value]]
      return isJsonObject(value) || value === true ? [[key, {}]] : []
    }),
  )
}

function healthyInfo(given: unknown): JsonObject {
  const info = withoutAnyNull(given, 0)
  if (isSpecType.Implementation(info)) return info as JsonObject
  const { name, version } = isJsonObject(info) ? info : {}
  return { name: textOf(name), version: textOf(version) }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

function withoutAnyNull(value: unknown, depth: number): unknown {
  if (!isJsonObject(value) || depth > maxDepth) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      member === null ? [] : [[key, withoutAnyNull(member, depth + 1)]],
    ),
  )
}
