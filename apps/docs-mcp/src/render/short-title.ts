/** A title for a line of a reply, without brackets, which mark the notes of a reply. */
export function shortTitle(title: string): string {
  const plain = title.replace(/\s+/g, ' ').replaceAll('[', '(').replaceAll(']', ')')
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain
}
