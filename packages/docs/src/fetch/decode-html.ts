import { getEncoding } from 'encoding-sniffer'

/**
 * Bytes to text by the charset of the header, a byte order mark or the page's own `<meta>`. A page
 * that names none and is no UTF-8 is read as browsers do, as windows-1252.
 */
export function decodeHtml(bytes: Uint8Array, charset?: string): string {
  const label = getEncoding(bytes, {
    defaultEncoding: unnamed,
    ...(charset && { transportLayerEncodingLabel: charset }),
  })
  if (label !== unnamed) {
    try {
      return new TextDecoder(label).decode(bytes)
    } catch {
      // A charset that nobody knows is none.
    }
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const unnamed = 'x-unnamed'
