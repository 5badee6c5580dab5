import type { RevisionMarks } from '@pith-mcp/server-kit/database'
import type { Signer } from '#base/signer'
import type { RedisConnection } from './open-redis.ts'

/** A revoked token, sign-in or approval stays so for as long, after its last change. */
const keptMs = 90 * 86_400_000
const prefix = 'pith:revision:'
/** Changes of one document may be noted in another order than they were made. */
const raise = `local held = redis.call('GET', KEYS[1])
if held and tonumber(string.match(held, '^%d+') or '0') > tonumber(ARGV[1]) then return end
return redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2], 'PX', ARGV[3])`

/**
 * Revisions in Redis. Without an answer of Redis none is known. What is not signed does not count.
 */
export function createRevisionMarks(redis: RedisConnection, signer: Signer): RevisionMarks {
  const keyOf = (kind: string, name: string): string => `${prefix}${kind} ${name}`
  return {
    async of(documents) {
      const keys = documents.map(({ kind, name }) => keyOf(kind, name))
      if (keys.length === 0) return []
      const reply = await redis.attempt((client) => client.mget(keys))
      return keys.map((key, at) => {
        const [revision = '', mac = ''] = String(reply?.value?.[at] ?? '').split(' ')
        return signer.isSigned(mac, key, revision) ? BigInt(revision) : undefined
      })
    },
    note({ kind, name, revision }) {
      const key = keyOf(kind, name)
      const mac = signer.sign(key, revision)
      void redis.attempt((client) => client.eval(raise, 1, key, revision, mac, keptMs))
    },
  }
}

/** Removes all marks: documents of a backup have lower revisions. Resolves to their number. */
export async function removeRevisionMarks({ client }: RedisConnection): Promise<number> {
  let removed = 0
  for await (const keys of client.scanStream({ match: `${prefix}*`, count: 1_000 }))
    if (keys.length > 0) removed += await client.del(keys)
  return removed
}
