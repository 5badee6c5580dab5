import type { Documents } from '../../../database/documents.ts'
import { readTrustedTokens, type TokenRecord, type TokenSource } from './token-file.ts'

const kind = 'tokens'
const name = 'all'

/** Tokens that replicas share. All refuse a revoked one as soon as they learn of it. */
export const sharedTokenSource = (documents: Documents): TokenSource => ({
  name: 'The tokens in the database',
  lookEveryMs: 0,
  stamp() {
    const isThere = documents.get(kind, name) ?? documents.isRefused(kind, name)
    return isThere ? String(documents.version(kind)) : undefined
  },
  // Without any, no client would need one.
  read: () =>
    documents.get<readonly TokenRecord[]>(kind, name) ??
    (documents.isRefused(kind, name) ? new Error('their signature is wrong') : undefined),
  async change<T>(edit: (tokens: TokenRecord[]) => T) {
    readTrustedTokens(this)
    let result: { value: T } | undefined
    await documents.change<readonly TokenRecord[]>(kind, name, (records) => {
      const tokens = [...(records ?? [])]
      result = { value: edit(tokens) }
      return tokens
    })
    if (result === undefined) throw new Error('The tokens were not changed.')
    return result.value
  },
})
