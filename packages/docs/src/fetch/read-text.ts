import { gunzipSync } from 'node:zlib'
import { decodeHtml } from './decode-html.ts'
import type { HttpClient } from './http-client.ts'

/** Of lists and indexes; they may be larger than a page. */
const longest = 64 * 2 ** 20

/** A text file of a site, unpacked if it is gzipped; undefined if it is not there or is HTML. */
export async function readText(
  client: HttpClient,
  url: string,
  { accept = '*/*', mostBytes = longest }: { accept?: string; mostBytes?: number } = {},
): Promise<{ text: string; url: string } | undefined> {
  const found = await client.get(url, { accept, maxBytes: mostBytes }).catch(() => undefined)
  if (!found || found.type === 'text/html') return undefined
  const { bytes } = found
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  try {
    const plain = isGzip ? gunzipSync(bytes, { maxOutputLength: mostBytes }) : bytes
    return { text: decodeHtml(plain, found.charset ?? 'utf-8'), url: found.url }
  } catch {
    return undefined
  }
}
