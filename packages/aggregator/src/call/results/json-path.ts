import { AggregatorError } from '#servers/protocol/aggregator-error'
import { quoteValue } from '#servers/protocol/quote-value'
import type { Document } from './document.ts'

const maxPathLength = 500

/**
 * Paths whose cost is out of proportion to the document: regular expressions, several descents, and
 * filters that refer to more than their item.
 */
const costly = [/\b(?:match|search)\s*\(/, /\.\.[\s\S]*\.\./, /\[\s*\?[\s\S]*(?:\$|\.\.|\[\s*\?)/]

/**
 * Selects a part of a JSON document by a path of RFC 9535; several parts are returned as a list.
 * @throws {AggregatorError} `bad_argument` for an invalid path, or one without a match
 */
export async function jsonPath({ json, isJson, text }: Document, input: string): Promise<Document> {
  const path = input.startsWith('$') ? input : /^[.[]/.test(input) ? `$${input}` : `$.${input}`
  const signs = path.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""')
  if (json === undefined)
    throw badPath(
      input,
      `the result is ${isJson ? 'empty' : 'text, not JSON'}`,
      'Use query or page.',
    )
  if (path.length > maxPathLength || costly.some((pattern) => pattern.test(signs)))
    throw badPath(input, 'it is too long or too expensive', 'Use several shorter paths, or query.')
  const matches = await select(json, path, input)
  if (matches.length === 0) throw badPath(input, 'it matches nothing', holds(json, text))
  const isOne = matches.length === 1 && !/[*:?,]|\.\./.test(signs)
  const value = isOne ? matches[0] : matches
  return { text: JSON.stringify(value), json: value, isJson: true }
}

async function select(json: unknown, path: string, input: string): Promise<unknown[]> {
  const { query } = await import('jsonpath-rfc9535')
  try {
    return query(json as never, path)
  } catch {
    throw badPath(input, 'it is not a valid JSONPath', 'Use a path such as $.items[0].name.')
  }
}

function holds(json: unknown, text: string): string {
  if (Array.isArray(json))
    return `The document is a list with ${json.length} ${json.length === 1 ? 'item' : 'items'}.`
  if (typeof json === 'object' && json !== null)
    return `The document has the keys ${Object.keys(json).slice(0, 20).join(', ')}.`
  return `The document is ${text.slice(0, 80)}.`
}

const badPath = (path: string, why: string, remedy: string): AggregatorError =>
  new AggregatorError('bad_argument', `path ${quoteValue(path)} cannot be used: ${why}.`, remedy)
