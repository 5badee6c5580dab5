/** A fragment made from a title, for headings that bring none. */
export function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
}
