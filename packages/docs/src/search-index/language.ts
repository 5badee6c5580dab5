/** True for a language tag that is another, or one of its regions: `en-GB` of `en`. */
export function isRegionOf(tag: string, wanted: string): boolean {
  const [own, whole] = [tag.toLowerCase(), wanted.toLowerCase()]
  return own === whole || own.startsWith(`${whole}-`)
}
