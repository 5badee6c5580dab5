import { getEncoding } from 'encoding-sniffer'

/** Bytes to text by the charset of the header, a byte order mark or the page's own `<meta>`. */
export function decodeHtml(bytes: Uint8Array, charset?: string): string {
  const label = getEncoding(bytes, {
    defaultEncoding: 'utf-8',
    ...(charset && { transportLayerEncodingLabel: charset }),
  })
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
