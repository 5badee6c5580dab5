import { getEncoding } from 'encoding-sniffer'

/**
 * Decode bytes by the charset of the header, a byte order mark or the page's `<meta>`. Without any
 * of them, bytes that are not valid UTF-8 are decoded as windows-1252, as browsers do.
 */
export function decodeHtml(bytes: Uint8Array, charset?: string): string {
  const stated = declaredCharset(bytes, charset)
  if (stated !== undefined) {
    try {
      return new TextDecoder(stated).decode(bytes)
    } catch {
      // The page declares a charset that this Node does not support.
    }
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/**
 * The charset that the header, a byte order mark or the page declares. The sniffer returns its
 * default if it finds none, so it runs twice with different defaults.
 */
function declaredCharset(bytes: Uint8Array, charset: string | undefined): string | undefined {
  const header = isKnown(charset) ? { transportLayerEncodingLabel: charset } : {}
  const one = getEncoding(bytes, { defaultEncoding: 'utf-8', ...header })
  const other = getEncoding(bytes, { defaultEncoding: 'windows-1252', ...header })
  return one === other ? one : undefined
}

/** An unsupported charset counts as undeclared. */
function isKnown(charset: string | undefined): charset is string {
  try {
    return charset !== undefined && new TextDecoder(charset).encoding !== ''
  } catch {
    return false
  }
}
