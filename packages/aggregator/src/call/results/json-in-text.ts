import { parseJson } from './document.ts'
import { endOfString } from './json-text.ts'

export interface JsonInText {
  /** One value, or the list of several; undefined without any. */
  json: unknown
  /** Lines among JSON lines that are not JSON. */
  otherLines: number
}

/** Characters. Shorter lists within a text are no data, such as footnotes. */
const minListLength = 20
/** Times the length of the text that are looked at. */
const maxLooks = 4

/** The JSON within a text: a value per line, or values before, after and between sentences. */
export function jsonIn(text: string): JsonInText {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const values = lines.flatMap((line) => parseJson(line) ?? [])
  const otherLines = lines.length - values.length
  if (values.length > 1 && values.length > otherLines) return { json: values, otherLines }
  const found = valuesIn(text)
  return { json: found.length > 1 ? found : found[0], otherLines: 0 }
}

function valuesIn(text: string): unknown[] {
  const values: unknown[] = []
  let looks = text.length * maxLooks
  const start = /\{\s*["}]|\[\s*[[{"\d\]tfn-]/g
  for (let match = start.exec(text); match && looks > 0; match = start.exec(text)) {
    const { index } = match
    const end = endOfValue(text, index, index + looks)
    looks -= Math.abs(end) - index
    const isData = text[index] === '{' || end - index >= minListLength
    const value = isData && end > 0 ? parseJson(text.slice(index, end)) : undefined
    if (value !== undefined) values.push(value)
    start.lastIndex = value === undefined ? index + 1 : end
  }
  return values
}

/** After the bracket that closes the one at `start`; if none does, where the look ended, negative. */
function endOfValue(text: string, start: number, most: number): number {
  let depth = 0
  const end = Math.min(text.length, most)
  for (let at = start; at < end; at++) {
    const sign = text[at]
    if (sign === '"') at = endOfString(text, at)
    else if (sign === '{' || sign === '[') depth++
    else if ((sign === '}' || sign === ']') && --depth === 0) return at + 1
  }
  return -end
}
