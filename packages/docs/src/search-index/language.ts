/** True if a tag is the requested language or one of its regions: `en-GB` for `en`. */
export function isRegionOf(tag: string, requested: string): boolean {
  const [lowerTag, language] = [tag.toLowerCase(), requested.toLowerCase()]
  return lowerTag === language || lowerTag.startsWith(`${language}-`)
}
