import { getEncoding } from 'encoding-sniffer'

/**
 * Bytes to text by the charset of the header, a byte order mark or the page's own `<meta>`. A page
 * that names none and is no UTF-8 is read as browsers do, as windows-1252.
 */
export function decodeHtml(bytes: Uint8Array, charset?: string): string {
  const stated = statedCharset(bytes, charset)
  if (stated !== undefined) {
    try {
      return new TextDecoder(stated).decode(bytes)
    } catch {
      // The page names one that this Node does not have.
    }
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** What the header, a byte order mark or the page says; the sniffer does not tell it from a guess. */
function statedCharset(bytes: Uint8Array, charset: string | undefined): string | undefined {
  const header = isKnown(charset) ? { transportLayerEncodingLabel: charset } : {}
  const one = getEncoding(bytes, { defaultEncoding: 'utf-8', ...header })
  const other = getEncoding(bytes, { defaultEncoding: 'windows-1252', ...header })
  return one === other ? one : undefined
}

/** A charset that nobody knows is none. */
function isKnown(charset: string | undefined): charset is string {
  try {
    return charset !== undefined && new TextDecoder(charset).encoding !== ''
  } catch {
    return false
  }
}
