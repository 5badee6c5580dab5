import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'
import type { Properties } from 'hast'
import { handOver } from './hand-over.ts'
import { addProperty, owned, type Schema } from './hast-properties.ts'
import { kind, type Tag, tagNamed } from './tags.ts'

/** Each attribute is compared with those before it. */
const maxAttributes = 256

const space = 1
const solidus = 2
const greaterThan = 4
const equalsSign = 8
const endsName = space | solidus | greaterThan
/** The characters that end names and values. */
const classes = new Uint8Array(128)
for (const [characters, of] of [
  [' \n\t\f', space],
  ['/', solidus],
  ['>', greaterThan],
  ['=', equalsSign],
] as const)
  for (const character of characters) classes[character.charCodeAt(0)] = of

/** Reads tags and text. What ends inside of something is handed over. */
export class Scanner {
  /** With line ends normalised to line feeds. */
  readonly source: string
  position = 0
  /** Whether the last tag ended in `/>`. */
  isSelfClosing = false
  /** The attributes of a tag so far; of those of longer tags before it, there may be more. */
  readonly #names: string[] = []
  #count = 0

  constructor(document: string) {
    this.source = document.includes('\r') ? document.replace(/\r\n?/g, '\n') : document
    if (this.source.includes('\0')) handOver('null character')
  }

  #classAt(index: number): number {
    if (index >= this.source.length) handOver('end of input in a tag')
    return classes[this.source.charCodeAt(index)] ?? 0
  }

  /** Index of the next character of one of the classes. */
  #next(start: number, stop: number): number {
    let index = start
    while (!(this.#classAt(index) & stop)) index++
    return index
  }

  #skipSpace(start: number): number {
    let index = start
    while (this.#classAt(index) === space) index++
    return index
  }

  /** Read a tag name, whose first letter is at the position. */
  readTagName(): Tag {
    const start = this.position
    this.position = this.#next(start, endsName)
    return tagNamed(nameAt(this.source, start, this.position))
  }

  /** Read the attributes after a tag name, and the end of the tag. */
  readAttributes(schema: Schema): Properties {
    const properties: Properties = {}
    this.#count = 0
    this.isSelfClosing = false
    for (;;) {
      const charClass = this.#classAt(this.position)
      if (charClass === greaterThan) break
      this.isSelfClosing = charClass === solidus
      if (charClass === space || charClass === solidus) this.position++
      else this.#readAttribute(properties, schema)
    }
    this.position++
    return properties
  }

  /** Skip what follows the name in an end tag. */
  skipAttributes(): void {
    if (this.#classAt(this.position) === greaterThan) this.position++
    else this.readAttributes('html')
  }

  #readAttribute(properties: Properties, schema: Schema): void {
    const start = this.position
    // An equals sign at the start belongs to the name.
    const end = this.#next(start + 1, endsName | equalsSign)
    const name = nameAt(this.source, start, end)
    this.position = this.#skipSpace(end)
    const value = this.#classAt(this.position) === equalsSign ? this.#readValue() : ''
    // The first attribute of a name counts.
    for (let index = 0; index < this.#count; index++) if (this.#names[index] === name) return
    if (this.#count === maxAttributes) handOver('many attributes')
    this.#names[this.#count++] = name
    addProperty(properties, name, value, schema)
  }

  /** Read the value of an attribute, whose equals sign is at the position. */
  #readValue(): string {
    const { source } = this
    let start = this.#skipSpace(this.position + 1)
    const quote = source.charAt(start)
    const isQuoted = quote === '"' || quote === "'"
    if (isQuoted) start++
    const end = isQuoted ? source.indexOf(quote, start) : this.#next(start, space | greaterThan)
    if (end < 0) handOver('end of input in a tag')
    this.position = isQuoted ? end + 1 : end
    const value = source.slice(start, end)
    return value.includes('&') ? decodeHTMLAttribute(value) : value
  }

  /** Skip a comment, a doctype, or what is read as a comment; the position is at its `<`. */
  skipDeclaration(): void {
    const isComment = this.source.startsWith('<!--', this.position)
    const end = isComment ? commentEnd : declarationEnd
    end.lastIndex = this.position + (isComment ? 4 : 2)
    if (!end.test(this.source)) handOver('end of input in a comment')
    this.position = end.lastIndex
  }

  /** Text up to `end`, with its character references decoded. */
  readText(end: number): string {
    const text = this.source.slice(this.position, end)
    this.position = end
    return text.includes('&') ? decodeHTML(text) : text
  }

  /** Read the content of an element that contains only text, and its end tag. */
  readRawText({ name, kinds }: Tag): string {
    const { source, position } = this
    const end = new RegExp(`</${name}[ \\n\\t\\f/>]`, 'gi')
    end.lastIndex = position
    const endTag = end.exec(source)
    if (!endTag) handOver(`end of input in ${name}`)
    const text =
      kinds & kind.rawText ? source.slice(position, endTag.index) : this.readText(endTag.index)
    // A script inside a comment inside a script does not end the outer one.
    if (name === 'script' && text.includes('<!--') && /<script/i.test(text))
      handOver('script in a comment in a script')
    this.position = endTag.index + 2 + name.length
    this.skipAttributes()
    return text
  }
}

/** `<!-->` and `<!--->` are comments as well. */
const commentEnd = /(?<=<!--)-?>|--!?>/g
const declarationEnd = />/g

const slots = 4096
const maxLength = 32

/** One name for each slot; a later one takes its place. */
const names: (string | undefined)[] = new Array(slots).fill(undefined)

/**
 * The name of a tag or an attribute at a position of the document, in lower case. There are few
 * names, so almost all are found without a new string.
 */
function nameAt(source: string, start: number, end: number): string {
  let slot = 0
  for (let index = start; index < end; index++)
    slot = (slot * 31 + source.charCodeAt(index)) & (slots - 1)
  const entry = names[slot]
  if (entry !== undefined && entry.length === end - start && source.startsWith(entry, start))
    return entry
  const spelling = source.slice(start, end)
  const name = inLowerCase(spelling)
  if (name === spelling && name.length <= maxLength) names[slot] = owned(name)
  return name
}

/** Only ASCII letters: that is how names compare in HTML. */
const inLowerCase = (name: string): string =>
  /[A-Z]/.test(name) ? name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name
