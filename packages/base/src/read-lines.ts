/** Bytes of one line. A message is in memory several times while it is parsed. */
const maxBytes = 64 * 1024 * 1024

interface LineReader {
  onLine(line: string): void
  onTooLong(bytes: number): void
}

/** Splits chunks of bytes into lines. Reading ends after `onTooLong`. */
export function readLines({ onLine, onTooLong }: LineReader): (chunk: Buffer) => void {
  let parts: Buffer[] = []
  let bytes = 0
  return (chunk) => {
    if (bytes > maxBytes) return
    let from = 0
    for (;;) {
      const end = chunk.indexOf(10, from)
      if (end === -1) break
      const last = chunk.subarray(from, end)
      const line = parts.length === 0 ? last : Buffer.concat([...parts, last])
      parts = []
      bytes = 0
      from = end + 1
      const text = line.toString('utf8').trim()
      if (text !== '') onLine(text)
    }
    if (from === chunk.length) return
    parts.push(chunk.subarray(from))
    bytes += chunk.length - from
    if (bytes > maxBytes) {
      parts = []
      onTooLong(maxBytes)
    }
  }
}
