import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { DocsError, quoteValue } from '#formats/docs-error'
import { tooLarge } from './http-errors.ts'

/** Value of `Accept-Encoding`. */
export const acceptedEncodings = 'gzip, deflate, br'

/** At most this many nested encodings; servers use one or two. */
const maxEncodings = 3

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>

const decodeGzip: Decode = promisify(gunzip)
const decodeZlib: Decode = promisify(inflate)
const decodeRaw: Decode = promisify(inflateRaw)

/** Values of `Content-Encoding` that servers send although the body is not encoded. */
const nothings = new Set(['', 'identity', 'none', 'binary', '8bit', 'utf-8', 'aws-chunked'])

/** All of them throw for a truncated body. */
const decoders: ReadonlyMap<string, Decode> = new Map([
  ['gzip', decodeGzip],
  ['x-gzip', decodeGzip],
  ['br', promisify(brotliDecompress)],
  // Some servers send raw deflate data instead of the zlib format that `deflate` means (RFC 9110,
  // 8.4.1.2).
  ['deflate', (bytes, options) => (isZlib(bytes) ? decodeZlib : decodeRaw)(bytes, options)],
])

const isZlib = ([first = 0]: Uint8Array): boolean => (first & 0x0f) === 0x08

/**
 * Read and decode the body of a response. Bytes are counted while they arrive and while they are
 * decoded, so a decompression bomb is stopped at `maxBytes`.
 *
 * @throws {DocsError} `too_large` past `maxBytes`; `unreachable` for an unknown encoding; the error
 * of the stream or decoder for a truncated body.
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  encoding: string,
  url: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.byteLength
    if (size > maxBytes) throw tooLarge(url, maxBytes)
    parts.push(part)
  }
  let bytes: Uint8Array = Buffer.concat(parts)
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => !nothings.has(name))
  if (names.length > maxEncodings) throw unknownEncoding(url, encoding)
  // Encodings are listed in the order in which they were applied.
  for (const name of names.toReversed()) {
    const decode = decoders.get(name)
    if (!decode) throw unknownEncoding(url, encoding)
    if (bytes.byteLength === 0) continue
    try {
      bytes = await decode(bytes, { maxOutputLength: maxBytes })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(url, maxBytes) : error
    }
  }
  return bytes
}

function unknownEncoding(url: string, encoding: string): DocsError {
  return new DocsError(
    'unreachable',
    `${quoteValue(url)} has the content encoding ${quoteValue(encoding)}, which is not supported.`,
    'Read another page.',
  )
}
