import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { DocsError } from '../common/docs-error.ts'
import { quoteValue } from '../common/quote-value.ts'
import { tooLarge } from './http-errors.ts'

/** Encodings that are asked for. */
export const acceptedEncodings = 'gzip, deflate, br'

/** More encodings on top of each other than any server has a use for. */
const maxEncodings = 3

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>

const decodeGzip: Decode = promisify(gunzip)
const decodeZlib: Decode = promisify(inflate)
const decodeRaw: Decode = promisify(inflateRaw)

/** What servers write there that is no encoding of the body. */
const nothings = new Set(['', 'identity', 'none', 'binary', '8bit', 'utf-8', 'aws-chunked'])

/** All of them insist on the end of the format: half a body is an error. */
const decoders: ReadonlyMap<string, Decode> = new Map([
  ['gzip', decodeGzip],
  ['x-gzip', decodeGzip],
  ['br', promisify(brotliDecompress)],
  // Some servers send what `deflate` says, and not the zlib format that it means.
  ['deflate', (bytes, options) => (isZlib(bytes) ? decodeZlib : decodeRaw)(bytes, options)],
])

const isZlib = ([first = 0]: Uint8Array): boolean => (first & 0x0f) === 0x08

/**
 * The body of a response, decoded. Bytes are counted as they come and as they are decoded, so that
 * a small bomb does not get big.
 *
 * @throws {DocsError} `too_large` past `maxBytes`; `unreachable` for an encoding that is unknown;
 * what the stream or the decoder throws for a body that ends before its end.
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
  // The last that was applied is the first to go.
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
    `${quoteValue(url)} comes in the encoding ${quoteValue(encoding)}, which is not known.`,
    'Read another page.',
  )
}
