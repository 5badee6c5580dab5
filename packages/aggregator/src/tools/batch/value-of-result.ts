import { blocksIn, documentOf, textsIn } from '../../call/results/document.ts'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import type { Fields } from '../../protocol/message.ts'
import type { Reference } from './references.ts'

/** What references go into: the structured content, else the JSON or the text of the result. */
function valueOfResult(result: Fields): unknown {
  if (result['structuredContent'] !== undefined) return result['structuredContent']
  const { json, text } = documentOf(result)
  return json === undefined ? text : json
}

/**
 * What a reference stands for. `results` is a member of that name, else the list that the result
 * is, else the values of its blocks, so that `${a.results[0].id}` means the first of what a gave.
 * @throws {AggregatorError} `bad_argument` when there is nothing
 */
export function resolveReference({ path, id, text }: Reference, result: Fields): unknown {
  let value = valueOfResult(result)
  if (value === '' && blocksIn(result).length > 0)
    throw new AggregatorError(
      'bad_argument',
      `${text} leads to nothing: ${id} gave no text.`,
      'Refer to a result that has some.',
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
        `${text} leads to nothing: ${id}${path.slice(0, index).map(said).join('')} ${shapeOf(value)}.`,
        'Refer to what is there.',
      )
    value = next
  }
  return value
}

function resultsOf(result: Fields, value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (result['structuredContent'] !== undefined) return [value]
  return textsIn(result).map((text) => valueOfResult({ content: [{ type: 'text', text }] }))
}

const has = (value: unknown, step: string | number): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, step)

const member = (value: unknown, step: string | number): unknown =>
  (value as Record<string | number, unknown>)[step]

const said = (step: string | number): string =>
  typeof step === 'number' ? `[${step}]` : `.${step}`

function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `is a list of ${value.length}`
  if (typeof value === 'object' && value !== null)
    return `has the keys ${Object.keys(value).slice(0, 15).join(', ') || '(none)'}`
  return `is ${JSON.stringify(value)?.slice(0, 60) ?? 'nothing'}`
}
