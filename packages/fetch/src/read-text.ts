import { gunzipSync } from 'node:zlib'
import { isHtmlText } from '#formats/readers/html'
import { decodeHtml } from './decode-html.ts'
import type { HttpClient } from './http-client.ts'

/** In bytes. Sitemaps and indexes may be larger than a page. */
const maxLength = 64 * 2 ** 20

/** A text file of a site, gunzipped if necessary; undefined if it cannot be read or is HTML. */
export async function readText(
  client: HttpClient,
  url: string,
  { accept = '*/*', maxBytes = maxLength }: { accept?: string; maxBytes?: number } = {},
): Promise<{ text: string; url: string } | undefined> {
  const response = await client.request(url, { accept, maxBytes }).catch(() => undefined)
  if (!response || response.type === 'text/html') return undefined
  const { bytes } = response
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  try {
    const content = isGzip ? gunzipSync(bytes, { maxOutputLength: maxBytes }) : bytes
    const text = decodeHtml(content, response.charset ?? 'utf-8')
    return isHtmlText(text) ? undefined : { text, url: response.url }
  } catch {
    return undefined
  }
}
