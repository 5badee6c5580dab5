/** A title for a line of a reply, without brackets, which mark the notes of a reply. */
export function shortTitle(title: string): string {
  const plain = title.replace(/\s+/g, ' ').replaceAll('[', '(').replaceAll(']', ')')
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain
}

/** A source without its scheme; the end of a long name distinguishes it. */
export function shortName(name: string): string {
  const short = name.replace(/^https?:\/\/|\?.*$/g, '').replace(/\/$/, '')
  return short.length > 60 ? `…${short.slice(-59)}` : short
}
