import { endOfString } from './json-text.ts'

/** JSON as it is shown in a page. */
export interface CompactJson {
  text: string
  /** Paths of RFC 9535 to values that are replaced by their size. */
  binaries: string[]
  /** Lists of objects that are written as tables. */
  tables: number
}

/** Characters. Shorter values are shown. */
const minBinaryLength = 1_000
/** Fewer objects are not written as a table. */
const minRows = 3
/** Lines of base64 are of equal length. */
const dataUrl = /^data:[^",]{0,200};base64,/

/** Base64, with its line ends as JSON has them, or a data URL of it. */
function isBase64(text: string): boolean {
  const lines = text.replace(dataUrl, '').split(/(?:\\r)?\\n/)
  const [first = '', ...more] = lines.filter((line) => line !== '')
  if (more.slice(0, -1).some(({ length }) => length !== first.length)) return false
  const joined = first + more.join('')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(joined) && joined.length % 4 === 0
}

interface Value {
  text: string
  /** Of an object whose members are no lists or objects: its keys, and its values. */
  keys?: string
  cells?: string[]
}

/**
 * Valid JSON without the blanks between its values; texts and numbers are as they were. Base64 is
 * replaced by its size. A list of objects with the same keys and plain values is written as
 * `{"columns": […], "rows": [[…], …]}` if that is shorter, unless the JSON has such an object itself.
 */
export function compactJson(text: string): CompactJson {
  const commas = text.slice(0, sampled).split(',').length
  if ((commas * text.length) / sampled > maxValues) return withoutIndents(text)
  const first = compacted(text, true)
  return (first?.hasTables ? compacted(text, false) : first) ?? withoutIndents(text)
}

/** Characters from whose commas the number of values is estimated. */
const sampled = 50_000
/** Values. JSON with more is only written without its indents, which takes a tenth of the time. */
const maxValues = 20_000

/** Texts of JSON have no line ends. */
const withoutIndents = (text: string): CompactJson => ({
  text: text.includes('\n') ? text.replace(/\r?\n[ \t\r]*/g, '') : text,
  binaries: [],
  tables: 0,
})

/** Undefined for JSON with too many values. */
function compacted(
  text: string,
  mayHaveTables: boolean,
): (CompactJson & { hasTables: boolean }) | undefined {
  const binaries: string[] = []
  let tables = 0
  let hasTables = false
  let values = 0
  const reader = readerOf(text)
  /** Keys, as JSON, and indexes. */
  const path: (string | number)[] = []

  function readScalar(): string {
    const scalar = reader.scalar()
    if (scalar.length < minBinaryLength || !isBase64(scalar.slice(1, -1))) return scalar
    binaries.push(`$${path.map((step) => `[${step}]`).join('')}`)
    return `"[${scalar.length - 2} characters of base64]"`
  }

  function readValue(): Value {
    if (++values > maxValues) throw tooMany
    const sign = reader.next()
    if (sign === '[') return readList()
    if (sign === '{') return readObject()
    return { text: readScalar() }
  }

  function readList(): Value {
    const items: Value[] = []
    for (reader.skip(); reader.next() !== ']'; ) {
      path.push(items.length)
      items.push(readValue())
      path.pop()
      if (reader.next() === ',') reader.skip()
    }
    reader.skip()
    const list = `[${items.map((item) => item.text).join(',')}]`
    const table = mayHaveTables ? tableOf(items) : undefined
    if (table === undefined || table.length >= list.length) return { text: list }
    tables++
    return { text: table }
  }

  function readObject(): Value {
    const keys: string[] = []
    const cells: string[] = []
    let isPlain = true
    for (reader.skip(); reader.next() !== '}'; ) {
      const key = reader.scalar()
      reader.next()
      reader.skip()
      path.push(key)
      const value = readValue()
      path.pop()
      if (value.text.startsWith('{') || value.text.startsWith('[')) isPlain = false
      keys.push(key)
      cells.push(value.text)
      if (reader.next() === ',') reader.skip()
    }
    reader.skip()
    if (keys.join() === '"columns","rows"') hasTables = true
    const members = keys.map((key, index) => `${key}:${cells[index]}`).join(',')
    return { text: `{${members}}`, ...(isPlain && keys.length > 0 && { keys: keys.join(), cells }) }
  }

  try {
    return { text: readValue().text, binaries, tables, hasTables }
  } catch (error) {
    if (error === tooMany) return undefined
    throw error
  }
}

/** Reads the signs and scalars of valid JSON, one after the other. */
function readerOf(text: string) {
  let at = 0
  return {
    /** The next sign that is not a blank; it is not passed. */
    next(): string | undefined {
      while (isBlank.has(text.charCodeAt(at))) at++
      return text[at]
    },
    skip: (): void => void at++,
    /** A text, a number, or a word. */
    scalar(): string {
      const start = at
      if (text[at] === '"') at = endOfString(text, at) + 1
      else while (at < text.length && !ends.has(text.charCodeAt(at))) at++
      return text.slice(start, at)
    },
  }
}

const tooMany = new Error('too many values')

function tableOf(items: readonly Value[]): string | undefined {
  const [first] = items
  if (items.length < minRows || first?.keys === undefined) return undefined
  if (items.some(({ keys }) => keys !== first.keys)) return undefined
  const rows = items.map(({ cells = [] }) => `[${cells.join(',')}]`)
  return `{"columns":[${first.keys}],"rows":[${rows.join(',')}]}`
}

const codesOf = (signs: string) => new Set([...signs].map((sign) => sign.charCodeAt(0)))
const isBlank = codesOf(' \t\n\r')
const ends = codesOf(' \t\n\r,]}')
