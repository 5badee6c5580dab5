import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { StoredPage } from './page-store.ts'

/** A page as stores on disk keep it. */
export const packPage = (page: StoredPage): Uint8Array =>
  deflateRawSync(JSON.stringify(page), { level: 1 })

/** Bytes of a page as JSON: a pack of others may hold what inflates to gigabytes. */
const maxOutputLength = 64 * 2 ** 20

/** @throws {RangeError} for a page that is longer */
export const unpackPage = (bytes: Uint8Array): StoredPage =>
  JSON.parse(inflateRawSync(bytes, { maxOutputLength }).toString()) as StoredPage
