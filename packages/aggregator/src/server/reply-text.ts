import {
  type Era,
  isJsonObject,
  type JsonObject,
  jsonOf,
  messageText,
  metaKeys,
} from '#servers/protocol/message'
import { errorOf, type PlainRequest } from './plain-request.ts'

/** Results of these may ask for input, or be a task. */
const extended = ['tools/call', 'prompts/get', 'resources/read']
const cacheable = ['prompts/list', 'resources/list', 'resources/templates/list', 'resources/read']

/** The answer to a plain request as JSON. */
export function replyText(
  { id, method }: PlainRequest,
  reply: { result: JsonObject } | { error: object },
  era: Era,
  identity: JsonObject,
): string {
  if ('error' in reply)
    return messageText({ jsonrpc: '2.0', id, error: errorOf(reply.error) } as never)
  const { result } = reply
  if (era === 'legacy') return messageText({ jsonrpc: '2.0', id, result })
  const { resultType = 'complete' } = result
  if (resultType !== 'complete' && !extended.includes(method))
    return replyText({ id, method } as never, { error: {} }, era, identity)
  const added = addedIn2026(result, { method, resultType, identity })
  const members = JSON.stringify(added).slice(1)
  try {
    const text = Object.keys(added).some((key) => key in result)
      ? JSON.stringify({ ...result, ...added })
      : `${jsonOf(result).slice(0, -1)}${Object.keys(result).length > 0 ? ',' : ''}${members}`
    return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`
  } catch {
    return messageText({ jsonrpc: '2.0', id, result })
  }
}

/** What 2026-07-28 requires of a result, in the order of the SDK: a kind, how long it can be cached, and who answers. */
function addedIn2026(
  result: JsonObject,
  { method, resultType, identity }: { method: string; resultType: unknown; identity: JsonObject },
): JsonObject {
  const { _meta: meta, ttlMs, cacheScope } = result
  const isCacheable = resultType === 'complete' && cacheable.includes(method)
  return {
    resultType,
    ...(isCacheable && {
      ttlMs: Number.isSafeInteger(ttlMs) && Number(ttlMs) >= 0 ? ttlMs : 0,
      cacheScope: cacheScope === 'public' ? 'public' : 'private',
    }),
    ...((meta === undefined || isJsonObject(meta)) && {
      _meta: { [metaKeys.server]: identity, ...meta },
    }),
  }
}
