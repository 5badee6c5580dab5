/** The numbers in a Roaring bitmap, in the portable format or in one of rustdoc's short forms. */
export function readRoaring(bytes: Uint8Array): Set<number> {
  const [kind = 0] = bytes
  if (kind > 0xd0) return new Set(shortForm(bytes, kind))
  if (kind > 0 && kind < 0x3a) return new Set(readAll(bytes, kind))
  return kind === 0 ? new Set() : new Set(containers(bytes, kind === 0x3b))
}

/** Consecutive 32-bit numbers. */
function* readAll(bytes: Uint8Array, count: number): Generator<number> {
  const view = viewOf(bytes)
  for (let at = 0; at < count; at++) yield view.getUint32(1 + 4 * at, true)
}

/** A first number and the increments of the next ones: one each, or stored in one or two bytes. */
function* shortForm(bytes: Uint8Array, kind: number): Generator<number> {
  const view = viewOf(bytes)
  const count = kind & 15
  let value = view.getUint32(1, true)
  if (kind > 0xe0 && kind < 0xf1) {
    for (let at = 0; at < count; at++) yield value + at
    return
  }
  yield value
  const width = kind > 0xf0 ? 2 : 1
  for (let at = 0; at + 1 < count; at++) {
    const place = 5 + width * at
    value += width === 2 ? view.getUint16(place, true) : view.getUint8(place)
    yield value
  }
}

/** Containers of 65,536 numbers each, as runs, as a bitmap, or as a list. */
function* containers(bytes: Uint8Array, hasRuns: boolean): Generator<number> {
  const view = viewOf(bytes)
  const size = hasRuns ? view.getUint16(2, true) + 1 : view.getUint32(4, true)
  let at = hasRuns ? 4 : 8
  const runFlags = at
  if (hasRuns) at += (size + 7) >> 3
  const header = at
  at += 4 * size
  // Skips the offsets of the containers, which are stored in order.
  if (!hasRuns || size >= 4) at += 4 * size
  for (let number = 0; number < size; number++) {
    const base = view.getUint16(header + 4 * number, true) * 65_536
    const count = view.getUint16(header + 4 * number + 2, true) + 1
    if (hasRuns && ((bytes[runFlags + (number >> 3)] ?? 0) >> (number & 7)) & 1) {
      const runs = view.getUint16(at, true)
      at += 2
      for (let run = 0; run < runs; run++, at += 4) {
        const start = view.getUint16(at, true)
        for (let more = 0; more <= view.getUint16(at + 2, true); more++) yield base + start + more
      }
    } else if (count > 4_096) {
      for (let bit = 0; bit < 65_536; bit++)
        if (((bytes[at + (bit >> 3)] ?? 0) >> (bit & 7)) & 1) yield base + bit
      at += 8_192
    } else for (let more = 0; more < count; more++, at += 2) yield base + view.getUint16(at, true)
  }
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
