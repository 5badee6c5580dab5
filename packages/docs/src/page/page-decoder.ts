import { LRUCache } from 'lru-cache'
import { type DecodedText, decodeText } from '#fetch/decode-html'
import type { HttpResponse } from '#fetch/http-client'
import { isNamedText, isTextType } from '#formats/page-format'

const maxHosts = 500

/** Decodes pages; of a host, it remembers the last charset other than UTF-8 that a page declared. */
export function createPageDecoder(): (response: HttpResponse) => DecodedText {
  const charsets = new LRUCache<string, string>({ max: maxHosts })
  return ({ url, type, bytes, charset }) => {
    const { host, pathname } = new URL(url)
    const hasNoHead = isNamedText(pathname) || isTextType(type)
    const stated = charset ?? (hasNoHead ? 'utf-8' : undefined)
    const decoded = decodeText(bytes, stated, charsets.get(host))
    if (!decoded.isGuessed && decoded.charset !== 'utf-8') charsets.set(host, decoded.charset)
    return decoded
  }
}
