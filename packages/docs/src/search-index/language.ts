/** True if a tag is the requested language or one of its regions: `en-GB` for `en`. */
export function isRegionOf(tag: string, requested: string): boolean {
  const [own, whole] = [tag.toLowerCase(), requested.toLowerCase()]
  return own === whole || own.startsWith(`${whole}-`)
}
