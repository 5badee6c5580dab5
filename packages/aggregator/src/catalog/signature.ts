import { escapeInvisible } from '#servers/protocol/escape-invisible'
import type { JsonObject } from '#servers/protocol/message'

const maxParameters = 12
const maxSummaryLength = 100

/** A tool in one line: `name(path*: string, depth: integer)`; `*` marks required parameters. */
export function signatureOf(name: string, definition: JsonObject): string {
  const schema = fieldsOf(definition['inputSchema'])
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const properties = Object.entries(fieldsOf(schema['properties']))
  // Required parameters come first, since the list may be cut.
  const params = properties
    .sort(([a], [b]) => Number(required.has(b)) - Number(required.has(a)))
    .slice(0, maxParameters)
    .map(
      ([key, property]) =>
        `${key.slice(0, 60)}${required.has(key) ? '*' : ''}: ${typeOf(property).slice(0, 60)}`,
    )
  const more = properties.length > maxParameters ? ', …' : ''
  // Names are of servers: a line break would begin a line of ours.
  return escapeInvisible(`${name}(${params.join(', ')}${more})`)
}

/** The first sentence of a description, in one line. */
export function summaryOf(
  { description, title }: JsonObject,
  maxLength: number = maxSummaryLength,
): string {
  const text = String(description ?? title ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  const end = /[.!?。](?:\s|$)/.exec(text)
  const sentence = end ? text.slice(0, end.index + (end[0].startsWith('.') ? 0 : 1)) : text
  if (sentence.length <= maxLength) return sentence
  const cut = sentence.slice(0, maxLength)
  const blank = cut.lastIndexOf(' ')
  return `${blank > maxLength - 20 ? cut.slice(0, blank) : cut}…`
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

const fieldsOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {}
