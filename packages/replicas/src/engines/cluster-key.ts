import { hkdfSync } from 'node:crypto'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { createSigner, type Signer } from '#base/signer'

/** What is derived from PITH_CLUSTER_KEY, by purpose. */
export type ClusterKey = ReturnType<typeof readClusterKey>

/**
 * One key, or two separated by a comma while one replaces the other: the first signs and seals, both
 * verify and open. @throws {UsageError}
 */
export function readClusterKey(text = '') {
  const keys = text.split(',').map((part) => Buffer.from(part.trim(), 'base64'))
  if (keys.length > 2 || keys.some(({ length }) => length !== 32))
    throw new UsageError(
      'PITH_DATABASE_URL needs PITH_CLUSTER_KEY: 32 bytes as Base64, the same for all replicas, such as the output of "openssl rand -base64 32"; two, separated by a comma, while the first replaces the second.',
    )
  const derived = (purpose: string): Buffer[] =>
    keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', `pith ${purpose}`, 32)))
  return {
    first: keys[0] as Buffer,
    /** The last ones open what earlier versions have sealed. */
    sealing: [...derived('seal'), ...keys],
    /** Tell keys apart, and nothing else of them. */
    fingerprints: derived('fingerprint').map((bytes) => bytes.toString('hex').slice(0, 16)),
    signer: (purpose: 'document' | 'forward' | 'lease' | 'result' | 'revision'): Signer =>
      createSigner(derived(purpose)),
  }
}
