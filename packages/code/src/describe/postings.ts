/** The files of a term, packed: the difference to the file before, and the byte of `documentOf`. */
export function packPostings(files: readonly number[], bytes: readonly number[]): Uint8Array {
  const packed: number[] = []
  let before = -1
  files.forEach((file, index) => {
    let rest = file - before
    before = file
    for (; rest > 0x7f; rest >>>= 7) packed.push((rest & 0x7f) | 0x80)
    packed.push(rest, bytes[index] as number)
  })
  return Uint8Array.from(packed)
}

/** Calls `visit` for each file of packed postings. */
export function eachPosting(
  packed: Uint8Array | undefined,
  visit: (file: number, byte: number) => void,
): void {
  let file = -1
  for (let at = 0; packed && at < packed.length; ) {
    let rest = 0
    let part = 0x80
    for (let shift = 0; part > 0x7f; shift += 7) {
      part = packed[at++] as number
      rest |= (part & 0x7f) << shift
    }
    file += rest
    visit(file, packed[at++] as number)
  }
}
