import { allFormats } from './all-formats.ts'
import { DocsError, quoteValue } from './docs-error.ts'
import type { Format } from './format.ts'
import { html, isHtmlText } from './readers/html.ts'
import { markdown } from './readers/markdown.ts'

/** A response, or a file, which has no type. */
interface Received {
  url: string
  type: string
  bytes: Uint8Array
  charset?: string | undefined
}

/** What was received as text, or as its bytes in Latin-1; `format` is undefined if it is not a page. */
export function readReceived<Decoded extends { text: string }>(
  received: Received,
  decode: () => Decoded,
): (Decoded | { text: string }) & { format: Format | undefined } {
  const bytes = Buffer.from(received.bytes.buffer, received.bytes.byteOffset, received.bytes.length)
  const start = bytes.toString('latin1', 0, 1024)
  const format = allFormats.find((row) => row.isBinary && row.recognises?.(start))
  if (format) return { text: bytes.toString('latin1'), format }
  const decoded = decode()
  return { ...decoded, format: formatOf(received, decoded.text) }
}

/** Types of files that a server does not know. */
const unknownType = /^$|^(?:application|binary)\/(?:x-)?(?:octet-stream|unknown|download)$/
/** Files that servers send as plain text although they are not for readers. */
const dataName = /\.(?:js|mjs|css|json|xml|csv|log|map)$/i

/**
 * The format of a page; undefined for anything that is not a page. Servers send Markdown with any
 * media type: the text decides where the path is that of Markdown, or the type tells nothing.
 */
export function formatOf(
  { url, type, bytes, charset }: Received,
  text: string,
): Format | undefined {
  if (isBinary(bytes, charset)) return undefined
  const path = new URL(url).pathname
  const page = {
    path,
    text,
    isHtml: isHtmlText(text),
    isPlain: type === 'text/plain',
    isUnknown: unknownType.test(type),
    recognised: formatOfContent(path, type, text),
    typed: allFormats.find(({ types, recognises }) => !recognises && types?.test(type)),
    named: byNameAlone(path),
  }
  return rules.find(([applies]) => applies(page))?.[1](page)
}

/** What a page shows of its format: its content, the type that it was sent with, its name. */
interface Clues extends Record<'recognised' | 'typed' | 'named', Format | undefined> {
  path: string
  text: string
  isHtml: boolean
  isPlain: boolean
  isUnknown: boolean
}

/** When a rule applies, and the format that it finds: the first that applies decides. */
type Rule = readonly [(page: Clues) => unknown, (page: Clues) => Format | undefined]

/** The name of a text is more exact than the type of Markdown or plain text. */
const textual = ({ named }: Clues): Format | undefined => (named === html ? undefined : named)
const isText = (page: Clues): boolean =>
  Boolean(page.typed || page.isPlain || page.isUnknown || textual(page))

const rules: readonly Rule[] = [
  [(page) => page.recognised, (page) => page.recognised],
  [(page) => page.isHtml, (page) => (isText(page) ? html : undefined)],
  [(page) => page.typed === markdown, (page) => textual(page) ?? markdown],
  [(page) => page.isPlain && !dataName.test(page.path), (page) => textual(page) ?? markdown],
  [(page) => page.named === markdown && !hasHtmlOnly(page.text), () => markdown],
  [(page) => page.typed, (page) => page.typed],
  [(page) => page.isUnknown && !isData(page), (page) => formatOfText(page)],
]

/** True for a name of data, and for one of a format that did not recognise the text. */
const isData = ({ path, named }: Clues): boolean =>
  dataName.test(path) || (!named && formatOfFile(path) !== undefined)

/** A format that has the name or the type, and recognises the text. */
const formatOfContent = (path: string, type: string, text: string): Format | undefined =>
  isHtmlText(text)
    ? undefined
    : allFormats.find(
        ({ names, types, recognises }) =>
          recognises && (names.test(path) || types?.test(type)) && recognises(text),
      )

/** The format whose names are no other files'. */
const byNameAlone = (path: string): Format | undefined =>
  allFormats.find(({ names, recognises }) => !recognises && names.test(path))

/** The format of a text of unknown type, by the name of its file or by how it starts. */
function formatOfText({ text, named }: Clues): Format | undefined {
  const start = startOf(text)
  if (!named && (otherMark.test(start) || hasControls(start))) return undefined
  return named ?? allFormats.find((format) => format.start?.test(start)) ?? markdown
}

/**
 * The format that a file has by its name; undefined for files that are not pages. If the format
 * recognises its texts, files of the name may still be none.
 */
export const formatOfFile = (path: string): Format | undefined =>
  allFormats.find((format) => format.names.test(path) && !format.isMissing?.())

/** True for the name of a text in another format than HTML. */
export function isNamedText(path: string): boolean {
  const format = formatOfFile(path)
  return format !== undefined && format !== html
}

/** Declarations of a charset in such a text are examples. */
export const isTextType = (type: string): boolean =>
  /markdown|plain/.test(type) ||
  allFormats.some((format) => format !== html && format.types?.test(type))

/** Documents of other formats, and those that no format recognises, by the ends of their names. */
const documents =
  /\.(?:docx?|epub|ipynb|odt|org|pdf|pod|rtf|tex|texi|texinfo|textile|wiki)$|(?<=[a-z_])\.[1-8](?:\.gz)?$|(?<=\b(?:openapi|swagger)[\w.-]{0,40})\.(?:json|ya?ml)$/

/** The end of the name of a document that is not read; undefined for pages and other files. */
export const unreadKind = (name: string): string | undefined =>
  byNameAlone(name) ? undefined : documents.exec(name.toLowerCase())?.[0]

/** The names of the formats that are read, for messages. */
export const formatNames: string = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  allFormats.flatMap((format) => (format.isMissing?.() ? [] : format.name)),
)

export const notAPage = (location: string, type: string = ''): DocsError =>
  new DocsError(
    'unsupported_type',
    `${quoteValue(location)} is ${type === '' ? '' : `of type ${quoteValue(type)}, `}not an ${formatNames} page.`,
    `Pass an ${formatNames} page.`,
  )

/** The first characters of PDF and ZIP, which may hold few NUL bytes. */
const otherMark = /^%PDF|^PK/
const hasControls = (text: string): boolean =>
  Array.from(text, (character) => character.charCodeAt(0)).some(isControl)

/** Characters of the start of a text that show its format. */
const startOf = (text: string): string => text.slice(0, 1024)

const htmlBlock = /<(?:article|div|h[1-6]|link|main|meta|p|section|title|ul)\b/i
const markdownBlock = /^(?:#{1,6} \S|```|~~~|---\s*$|[-*] \S)/m

/** HTML without a document around it. Markdown may begin with HTML, such as a centred picture. */
const hasHtmlOnly = (text: string): boolean =>
  htmlBlock.test(startOf(text)) && !markdownBlock.test(startOf(text))

/** Bytes of the start of a page that are inspected. */
const sampledBytes = 4096
/** Above this share of control characters, bytes are binary. */
const maxControlShare = 0.05

/**
 * True for bytes that are not text in any charset. UTF-16, full of NUL bytes, is recognised by its
 * charset or byte order mark. A few stray NUL bytes are tolerated.
 */
export function isBinary(bytes: Uint8Array, charset: string = ''): boolean {
  if (/^utf-?16/i.test(charset)) return false
  const [first, second] = bytes
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const sample = bytes.subarray(0, sampledBytes)
  if (marked || !sample.includes(0)) return false
  if (/^\s*</.test(Buffer.from(sample.subarray(0, 64)).toString('latin1'))) return isWide(sample)
  return sample.filter(isControl).length > sample.length * maxControlShare
}

/** Undeclared UTF-16: every other byte of ASCII text is NUL. */
const isWide = (sample: Uint8Array): boolean =>
  sample.filter((byte) => byte === 0).length * 3 > sample.length

const isControl = (byte: number): boolean => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)
