import type { Document } from './document.ts'

const maxLines = 12
const maxKeys = 8
const maxHeadingLength = 80

/**
 * The content of a document in a few lines: members of JSON with their sizes, headings of a text.
 */
export function outlineOf({ text, json, isJson }: Document): string[] {
  if (isJson) return jsonOutline(json, text.length)
  return bounded(headingsIn(text), 'headings')
}

/** To split a text into its lines would take longer than to page it. */
function headingsIn(text: string): string[] {
  const all = text.startsWith('#') ? `\n${text}` : text
  const headings: string[] = []
  let line = all === text ? 1 : 0
  let from = 0
  for (let at = all.indexOf('\n#'); at >= 0; at = all.indexOf('\n#', at + 1)) {
    for (let next = all.indexOf('\n', from); next <= at && next >= 0; ) {
      line++
      from = next + 1
      next = all.indexOf('\n', from)
    }
    const end = all.indexOf('\n', from)
    const heading = all.slice(from, end < 0 ? undefined : end)
    if (/^#{1,4} \S/.test(heading))
      headings.push(`line ${line}: ${heading.slice(0, maxHeadingLength)}`)
  }
  return headings
}

function jsonOutline(json: unknown, size: number): string[] {
  if (Array.isArray(json)) return [describe('$', json, size)]
  if (typeof json !== 'object' || json === null) return []
  return bounded(
    Object.entries(json).map(([key, value]) => describe(`$${step(key)}`, value)),
    'keys',
  )
}

function describe(path: string, value: unknown, size = JSON.stringify(value)?.length ?? 0): string {
  if (Array.isArray(value)) {
    const [first] = value
    const keys = isObject(first) ? ` of {${keysOf(first)}}` : ''
    return `${path}: ${value.length} ${value.length === 1 ? 'item' : 'items'}${keys}, ${size} characters`
  }
  if (isObject(value)) return `${path}: {${keysOf(value)}}, ${size} characters`
  return `${path}: ${size <= 60 ? JSON.stringify(value) : `${typeof value}, ${size} characters`}`
}

function keysOf(value: object): string {
  const keys = Object.keys(value)
  const list = keys.slice(0, maxKeys).join(', ')
  return keys.length > maxKeys ? `${list}, … ${keys.length} keys` : list
}

const step = (key: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`

function bounded(lines: readonly string[], what: string): string[] {
  if (lines.length <= maxLines) return [...lines]
  return [...lines.slice(0, maxLines - 1), `… ${lines.length - maxLines + 1} more ${what}`]
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
