import { AggregatorError } from '../../protocol/aggregator-error.ts'
import { shown } from '../../protocol/shown.ts'
import type { Document } from './document.ts'

const longestPath = 500

/**
 * What a path may not do, since it would take time out of proportion to the document: patterns of
 * the caller's, several descents, and filters that look beyond their item.
 */
const costly = [/\b(?:match|search)\s*\(/, /\.\.[\s\S]*\.\./, /\[\s*\?[\s\S]*(?:\$|\.\.|\[\s*\?)/]

/**
 * A part of a JSON document by a path of RFC 9535; several parts as a list.
 * @throws {AggregatorError} `bad_argument` for a path that is none or finds nothing
 */
export async function jsonPath({ json, isJson, text }: Document, given: string): Promise<Document> {
  const path = given.startsWith('$') ? given : /^[.[]/.test(given) ? `$${given}` : `$.${given}`
  const signs = path.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""')
  if (json === undefined)
    throw badPath(
      given,
      `the result is ${isJson ? 'empty' : 'text, not JSON'}`,
      'Use query or page.',
    )
  if (path.length > longestPath || costly.some((pattern) => pattern.test(signs)))
    throw badPath(given, 'it asks for too much at once', 'Go one step at a time, or use query.')
  const found = await select(json, path, given)
  if (found.length === 0) throw badPath(given, 'it leads nowhere', holds(json, text))
  const isOne = found.length === 1 && !/[*:?,]|\.\./.test(signs)
  const value = isOne ? found[0] : found
  return { text: JSON.stringify(value), json: value, isJson: true }
}

async function select(json: unknown, path: string, given: string): Promise<unknown[]> {
  const { query } = await import('jsonpath-rfc9535')
  try {
    return query(json as never, path)
  } catch (error) {
    throw badPath(
      given,
      `it is no JSONPath (${(error as Error).message.slice(0, 200)})`,
      'Such as $.items[0].name.',
    )
  }
}

function holds(json: unknown, text: string): string {
  if (Array.isArray(json)) return `The document is a list of ${json.length}.`
  if (typeof json === 'object' && json !== null)
    return `The document has the keys ${Object.keys(json).slice(0, 20).join(', ')}.`
  return `The document is ${text.slice(0, 80)}.`
}

const badPath = (path: string, why: string, remedy: string): AggregatorError =>
  new AggregatorError('bad_argument', `path ${shown(path)} cannot be read: ${why}.`, remedy)
