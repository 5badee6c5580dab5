import { isJsonObject, type JsonObject } from '#servers/protocol/message'
import { withoutInvalid } from '#servers/protocol/without-invalid'

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
  const structured = isModern ? result['structuredContent'] : undefined
  const mended = strip(result, 0) as JsonObject
  return structured === null ? { ...mended, structuredContent: null } : mended
}

function strip(value: unknown, depth: number): unknown {
  if (depth > maxDepth) return value
  if (Array.isArray(value)) {
    let items = value
    for (const [index, item] of value.entries()) {
      const stripped = strip(item, depth + 1)
      if (stripped === item) continue
      if (items === value) items = [...value]
      items[index] = stripped
    }
    return items
  }
  if (!isJsonObject(value)) return value
  let mended = value
  // Runs for every result: `Object.entries` would take twice as long.
  for (const key in value) {
    const member = value[key]
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
 * The result of `initialize` or `server/discover` without members that say nothing: one of them
 * would refuse the whole server.
 */
export function asHandshake(result: JsonObject): JsonObject {
  const { protocolVersion, supportedVersions, capabilities, serverInfo } = result
  const isInitialize = typeof protocolVersion === 'string'
  if (!isInitialize && !Array.isArray(supportedVersions)) return result
  const declared = Object.entries(isJsonObject(capabilities) ? capabilities : {})
  const info = isJsonObject(serverInfo) ? serverInfo : {}
  const handshake = {
    ...result,
    capabilities: Object.fromEntries(
      declared.map(([key, capability]) => [key, capability === true ? {} : capability]),
    ),
    ...(isInitialize && {
      serverInfo: { ...info, name: info['name'] ?? '', version: info['version'] ?? '' },
    }),
  }
  return withoutInvalid(isInitialize ? 'InitializeResult' : 'DiscoverResult', handshake) ?? result
}
