import { countOf } from '#base/count-of'
import { badArgument } from '#servers/protocol/bad-argument'
import type { JsonObject } from '#servers/protocol/message'
import { oncePer } from '#servers/protocol/once-per'
import { quoteValue } from '#servers/protocol/quote-value'
import { type Document, documentOf, searchTextOf, textsIn } from './document.ts'
import { type FieldSelection, nearestFields, selectFields, stepsOf } from './json-fields.ts'
import { type JsonInText, jsonIn } from './json-in-text.ts'
import { type JsonPath, parsePath, TooMuch, valuesAt } from './json-path.ts'
import { matchesIn } from './matches-in.ts'

/** One JSONPath; or names and paths of fields; or texts to find in other results. Not empty. */
export type Wanted = readonly [string, ...string[]]

const maxWanted = 20
const maxLength = 500
/** Characters. A longer text is shown as it is, not as JSON. */
const maxJsonText = 200

/**
 * What `select` asks for; undefined if it is absent.
 * @throws {AggregatorError} `bad_argument` for what can select nothing from any result
 */
export async function wantedIn(select: unknown): Promise<Wanted | undefined> {
  if (select === undefined || select === null) return undefined
  const [first, ...more] = (Array.isArray(select) ? select : [select]) as unknown[]
  const isText = (text: unknown): text is string =>
    typeof text === 'string' && text.trim() !== '' && text.length <= maxLength
  if (!isText(first) || !more.every(isText) || more.length >= maxWanted)
    throw badArgument('select', select, 'a JSONPath, names of fields, or a text to find')
  if (isPath(first) && more.length === 0) await parsePath(first)
  const alone = more.length > 0 && [first, ...more].find((text) => isPath(text) && !stepsOf(text))
  if (alone) throw badArgument('select', alone, 'such a JSONPath alone, or names of fields')
  return [first, ...more]
}

const isPath = (text: string): boolean => /^\$(?:[.[]|$)/.test(text)

export interface Selection {
  /** Undefined if nothing is selected. */
  document: Document | undefined
  /** What a name was read as, and what selects nothing, one line each. */
  notes: string[]
}

/** Selects from the structured content of a result, from JSON in its texts, or from its texts. */
export async function select(result: JsonObject, wanted: Wanted): Promise<Selection> {
  const [first, ...more] = wanted
  if (more.length > 0) return selectByName(result, wanted)
  if (isPath(first)) return selectPath(result, first, false)
  const within = partOfResult(first)
  const selection = within === undefined ? undefined : await selectPath(result, within, true)
  return selection?.document ? selection : selectByName(result, wanted)
}

async function selectByName(result: JsonObject, wanted: Wanted): Promise<Selection> {
  const { values, notes } = rootsOf(result)
  const selections: FieldSelection[] = []
  for (const json of values) {
    const selection = await selectFields(json, wanted)
    if (selection.value !== undefined)
      return { document: documentWith(selection.value), notes: [...selection.notes, ...notes] }
    selections.push(selection)
  }
  const searched = searchTextOf(result)
  const found = wanted.flatMap((text) => matchesIn(searched, text) ?? [])
  if (found.length > 0)
    return { document: { text: found.join('\n'), json: undefined, isJson: false }, notes: [] }
  const texts = wanted.map((text) => quoteValue(text)).join(', ')
  const absent = `${texts}: not in the ${searched.length} characters of the result`
  return { document: undefined, notes: selections[0]?.notes ?? [absent] }
}

async function selectPath(
  result: JsonObject,
  path: string,
  isOfResult: boolean,
): Promise<Selection> {
  const parsed = await parsePath(path)
  try {
    const found = await valuesOf(result, parsed, isOfResult)
    if (found.length > 0) {
      const isOne = parsed.isSingular && found.length === 1
      return { document: documentWith(isOne ? found[0] : found), notes: rootsOf(result).notes }
    }
    const [json = result] = rootsOf(result).values
    return { document: undefined, notes: [await nearestFields(json, path)] }
  } catch (error) {
    if (error instanceof TooMuch) return { document: undefined, notes: [error.message] }
    throw error
  }
}

/** The first values that a path has: in structured content, in the texts, in the result itself. */
async function valuesOf(
  result: JsonObject,
  path: JsonPath,
  isOfResult: boolean,
): Promise<unknown[]> {
  const { values, lists } = rootsOf(result)
  const roots = isOfResult ? [] : [...values.map((value) => [value]), ...lists]
  // What is not text has a place in the result alone.
  for (const each of [...roots, [result]]) {
    const found = (await Promise.all(each.map((root) => valuesAt(root, path)))).flat()
    if (found.length > 0) return found
  }
  return []
}

/** The one value of a path; without a path, the JSON that the result is, or its text. */
export async function oneValue(result: JsonObject, path: string | undefined): Promise<unknown> {
  const { json, isJson } = documentOf(result)
  const texts = textsIn(result)
  if (path === undefined) return isJson || texts.length === 0 ? json : texts.join('\n\n')
  const within = partOfResult(path)
  const parsed = await parsePath(within ?? (isPath(path) ? path : `$.${path}`))
  const found = await valuesOf(result, parsed, within !== undefined)
  if (found.length === 1) return found[0]
  const what = found.length === 0 ? 'it has no value' : `it has ${found.length} values`
  throw badArgument('path', path, `a path with one value: ${what}`)
}

/** What paths apply to, in this order; of several values in a text, also each. */
const rootsOf = oncePer((result: JsonObject) => {
  const { json, isJson } = documentOf(result)
  const { structuredContent: structured } = result
  const inTexts: JsonInText = isJson
    ? { json: undefined, otherLines: 0 }
    : jsonIn(textsIn(result).join('\n'))
  const values = [json, structured, inTexts.json].filter((value) => value !== undefined)
  return {
    values: [...new Set(values)],
    lists: Array.isArray(inTexts.json) ? [inTexts.json as unknown[]] : [],
    notes:
      inTexts.otherLines > 0
        ? [`without ${countOf(inTexts.otherLines, 'line')} that are not JSON`]
        : [],
  }
})

function documentWith(json: unknown): Document {
  if (typeof json === 'string' && json.length > maxJsonText)
    return { text: json, json, isJson: false }
  return { text: JSON.stringify(json), json, isJson: true }
}

/** `result.content[2]` refers to the MCP result, not to its text. */
function partOfResult(path: string): string | undefined {
  const [, part] = /^result\.(members|_meta|content\[\d+\].*)$/s.exec(path) ?? []
  if (part === undefined) return undefined
  return part === 'members' ? '$' : `$.${part}`
}

/** True for numbers that JSON has written with more digits than were kept. */
export const isRounded = (value: unknown): boolean => {
  if (typeof value === 'number')
    return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))
  return typeof value === 'object' && value !== null && Object.values(value).some(isRounded)
}
