import type { Fields } from '../protocol/message.ts'

const mostParameters = 12
const longestSummary = 100

/** A tool in one line: `name(path*: string, depth: integer)`, `*` for what is required. */
export function signatureOf(name: string, definition: Fields): string {
  const schema = fieldsOf(definition['inputSchema'])
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const properties = Object.entries(fieldsOf(schema['properties']))
  // What has to be given is said even where not everything is.
  const shown = properties
    .sort(([a], [b]) => Number(required.has(b)) - Number(required.has(a)))
    .slice(0, mostParameters)
    .map(
      ([key, property]) =>
        `${key.slice(0, 60)}${required.has(key) ? '*' : ''}: ${typeOf(property).slice(0, 60)}`,
    )
  const more = properties.length > mostParameters ? ', …' : ''
  return `${name}(${shown.join(', ')}${more})`
}

/** The first sentence of a description, in one line. */
export function summaryOf(
  { description, title }: Fields,
  longest: number = longestSummary,
): string {
  const text = String(description ?? title ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  const end = /[.!?。](?:\s|$)/.exec(text)
  const sentence = end ? text.slice(0, end.index + (end[0].startsWith('.') ? 0 : 1)) : text
  if (sentence.length <= longest) return sentence
  const cut = sentence.slice(0, longest)
  const blank = cut.lastIndexOf(' ')
  return `${blank > longest - 20 ? cut.slice(0, blank) : cut}…`
}

function typeOf(property: unknown): string {
  const { type, enum: values, items, const: only, anyOf, oneOf } = fieldsOf(property)
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(values) && values.length <= 6)
    return values.map((value) => JSON.stringify(value)).join('|')
  const choices = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined
  if (choices) return [...new Set(choices.slice(0, 4).map(typeOf))].join('|')
  if (type === 'array') return `${typeOf(items)}[]`
  if (Array.isArray(type)) return type.join('|')
  return typeof type === 'string' ? type : 'any'
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}
