import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { StoredPage } from './page-store.ts'

/** A page as stores on disk keep it. */
export const packPage = (page: StoredPage): Uint8Array =>
  deflateRawSync(JSON.stringify(page), { level: 1 })

export const unpackPage = (kept: Uint8Array): StoredPage =>
  JSON.parse(inflateRawSync(kept).toString()) as StoredPage
