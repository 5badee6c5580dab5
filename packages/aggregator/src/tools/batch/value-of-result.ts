import { AggregatorError } from '#servers/protocol/aggregator-error'
import type { JsonObject } from '#servers/protocol/message'
import { blocksIn, documentOf, textsIn } from '../../call/results/document.ts'
import type { Reference } from './references.ts'

/**
 * The value that references apply to: the structured content, or the JSON or text of the result.
 */
function valueOfResult(result: JsonObject): unknown {
  if (result['structuredContent'] !== undefined) return result['structuredContent']
  const { json, text } = documentOf(result)
  return json === undefined ? text : json
}

/**
 * The value of a reference. `results` is a member of that name, or the result itself if it is a
 * list, or the values of its blocks: `${a.results[0].id}` is the id of the first item that `a`
 * returned.
 * @throws {AggregatorError} `bad_argument` if there is no such value
 */
export function resolveReference({ path, id, text }: Reference, result: JsonObject): unknown {
  let value = valueOfResult(result)
  if (value === '' && blocksIn(result).length > 0)
    throw new AggregatorError(
      'bad_argument',
      `${text} has no value: the result of ${id} has no text.`,
      'Refer to a result with text.',
    )
  for (const [index, step] of path.entries()) {
    const isResults = index === 0 && step === 'results' && !has(value, 'results')
    const next = isResults
      ? resultsOf(result, value)
      : has(value, step)
        ? member(value, step)
        : undefined
    if (next === undefined)
      throw new AggregatorError(
        'bad_argument',
        `${text} has no value: ${id}${path.slice(0, index).map(formatStep).join('')} ${shapeOf(value)}.`,
        'Refer to an existing value.',
      )
    value = next
  }
  return value
}

function resultsOf(result: JsonObject, value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (result['structuredContent'] !== undefined) return [value]
  return textsIn(result).map((text) => valueOfResult({ content: [{ type: 'text', text }] }))
}

const has = (value: unknown, step: string | number): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, step)

const member = (value: unknown, step: string | number): unknown =>
  (value as Record<string | number, unknown>)[step]

const formatStep = (step: string | number): string =>
  typeof step === 'number' ? `[${step}]` : `.${step}`

function shapeOf(value: unknown): string {
  if (Array.isArray(value))
    return `is a list with ${value.length} ${value.length === 1 ? 'item' : 'items'}`
  if (typeof value === 'object' && value !== null)
    return `has the keys ${Object.keys(value).slice(0, 15).join(', ') || '(none)'}`
  return `is ${JSON.stringify(value)?.slice(0, 60) ?? 'nothing'}`
}
