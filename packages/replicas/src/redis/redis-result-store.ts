import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { defaultResultLimits, type ResultStore } from '@pith-mcp/aggregator'
import type { Signer } from '#base/signer'
import type { RedisConnection } from './open-redis.ts'

const compress = promisify(gzip)
const expand = promisify(gunzip)
/** Bytes of one compressed result. Longer ones stay in the process. */
const maxBytes = 16 * 1024 * 1024
/** Characters of the signature, which precedes it. */
const macLength = 43
/** Characters of a result after it is expanded. */
const maxLength = 256 * 1024 * 1024

/**
 * Stores results in Redis, compressed, so that every replica can read the rest of them. What Redis
 * does not take is stored by `local`, and can be read where it was made. Redis evicts results by its
 * own limit of memory; they expire after an hour. What is not signed for its id does not exist.
 */
export function createRedisResultStore(
  redis: RedisConnection,
  local: ResultStore,
  { signer, onLog }: { signer: Signer; onLog: (text: string) => void },
): ResultStore {
  // Earlier versions, which do not sign results, have them elsewhere.
  const keyOf = (id: string): string => `pith:result-2:${id}`
  let isReported = false
  return {
    async put(id, text) {
      const bytes = await compress(text, { level: 1 })
      const set =
        bytes.length <= maxBytes &&
        (await redis.attempt((client) =>
          client.set(
            keyOf(id),
            Buffer.concat([Buffer.from(signer.sign(id, bytes)), bytes]),
            'PX',
            defaultResultLimits.ttlMs,
          ),
        ))
      return set ? true : local.put(id, text)
    },
    async get(id) {
      const here = await local.get(id)
      if (here !== undefined) return here
      const reply = await redis.attempt((client) => client.getBuffer(keyOf(id)))
      if (!Buffer.isBuffer(reply?.value)) return undefined
      const bytes = reply.value.subarray(macLength)
      if (signer.isSigned(reply.value.toString('latin1', 0, macLength), id, bytes))
        return (await expand(bytes, { maxOutputLength: maxLength })).toString()
      if (!isReported)
        onLog('A result in Redis is not signed with PITH_CLUSTER_KEY. Such results do not count.')
      isReported = true
      return undefined
    },
    close: local.close,
  }
}
