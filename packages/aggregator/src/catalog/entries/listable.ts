import { z } from 'zod'
import { isCompilable } from '../../protocol/json-schema.ts'
import { type Era, isJsonObject, type JsonObject } from '../../protocol/message.ts'
import { oncePer } from '../../protocol/once-per.ts'
import { quoteValue } from '../../protocol/quote-value.ts'
import type { CatalogItems, ItemKind, Unread } from './catalog-entry.ts'
import { mendSchema, Unlistable, withChanges } from './mend-schema.ts'

/** Kinds whose clients refuse a whole list for one invalid item. */
type ListedKind = Exclude<ItemKind, 'skills'>

interface Listable {
  /** Undefined if it is left out of lists. */
  definition: JsonObject | undefined
  /** Why it is left out, or was changed. */
  faults: readonly string[]
}

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'
const isNumber: Check = (value) => typeof value === 'number'
const isFlag: Check = (value) => typeof value === 'boolean'
const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value)
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
/** An object whose members pass, if they are there. */
const shape =
  (members: Record<string, Check>, required: readonly string[] = []): Check =>
  (value) =>
    isJsonObject(value) &&
    required.every((key) => value[key] !== undefined) &&
    Object.entries(members).every(([key, check]) => value[key] === undefined || check(value[key]))

const icon = shape(
  { src: isText, mimeType: isText, sizes: listOf(isText), theme: oneOf('light', 'dark') },
  ['src'],
)
const described = { title: isText, description: isText, icons: listOf(icon), _meta: isJsonObject }
const annotated: Record<string, Check> = {
  audience: listOf(oneOf('user', 'assistant')),
  priority: (value) => isNumber(value) && Number(value) >= 0 && Number(value) <= 1,
  lastModified: (value) => z.iso.datetime({ offset: true }).safeParse(value).success,
}
const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']
const toolHints: Record<string, Check> = {
  title: isText,
  ...Object.fromEntries(hints.map((hint) => [hint, isFlag])),
}
const inside: Record<'annotations' | 'execution', Record<string, Check>> = {
  annotations: { ...annotated, ...toolHints },
  execution: { taskSupport: oneOf('required', 'optional', 'forbidden') },
}
const argument = shape({ name: isText, title: isText, description: isText, required: isFlag }, [
  'name',
])

/** The optional members of each kind, as the schemas of the SDKs for clients check them. */
const optional: Record<ListedKind, Record<string, Check>> = {
  tools: { ...described, annotations: isJsonObject, execution: isJsonObject },
  prompts: described,
  resources: { ...described, mimeType: isText, size: isNumber, annotations: isJsonObject },
  resourceTemplates: { ...described, mimeType: isText, annotations: isJsonObject },
}

const addressOf = {
  tools: 'name',
  prompts: 'name',
  resources: 'uri',
  resourceTemplates: 'uriTemplate',
}

/**
 * The definition as clients of an era list it: with the same meaning, and without what no client
 * can use. A client that finds one invalid definition refuses the whole list.
 */
function listable(kind: ListedKind, given: JsonObject, era: Era): Listable {
  const faults: string[] = []
  const note = (fault: string): void => void faults.push(fault)
  const changes: JsonObject = {}
  try {
    const address = addressOf[kind]
    if (!isText(given[address]) || given[address] === '')
      throw new Unlistable(`its ${address} is ${quoteValue(given[address])}`)
    // The name is for people: what is addressed is found without it.
    if (!isText(given['name'])) {
      note(`name is ${quoteValue(given['name'])}`)
      changes['name'] = given[address]
    }
    for (const [key, check] of Object.entries(optional[kind]))
      mendMember(given, key, check, changes, note)
    if (kind === 'prompts') mendArguments(given, changes, note)
    if (kind === 'tools') mendSchemas(given, changes, era, note)
  } catch (error) {
    if (error instanceof Unlistable) return { definition: undefined, faults: [error.message] }
    throw error
  }
  return { definition: withChanges(given, changes), faults }
}

/** Items without those that clients of the era cannot list. */
export const listed = (kind: ListedKind, items: readonly JsonObject[], era: Era): JsonObject[] =>
  items.flatMap((item) => {
    const { definition } = listable(kind, item, era)
    return definition ? [definition] : []
  })

function mendMember(
  given: JsonObject,
  key: string,
  check: Check,
  changes: JsonObject,
  note: (fault: string) => void,
): void {
  const value = given[key]
  if (value === undefined) return
  const members = key === 'annotations' || key === 'execution' ? inside[key] : {}
  if (!check(value)) {
    note(`${key} is ${quoteValue(value)}`)
    changes[key] = undefined
    return
  }
  const odd = Object.entries(members).flatMap(([member, isRight]) => {
    const one = (value as JsonObject)[member]
    if (one === undefined || isRight(one)) return []
    note(`${key}.${member} is ${quoteValue(one)}`)
    return [[member, undefined]]
  })
  if (odd.length > 0) changes[key] = withChanges(value as JsonObject, Object.fromEntries(odd))
}

function mendArguments(
  given: JsonObject,
  changes: JsonObject,
  note: (fault: string) => void,
): void {
  const { arguments: all } = given
  if (all === undefined || listOf(argument)(all)) return
  note(`arguments is ${quoteValue(all)}`)
  const named = Array.isArray(all) ? all.filter((one) => isText(one?.name)) : []
  changes['arguments'] =
    named.length === 0
      ? undefined
      : named.map(({ name, required }) => ({ name, ...(isFlag(required) && { required }) }))
}

function mendSchemas(
  { inputSchema, outputSchema }: JsonObject,
  changes: JsonObject,
  era: Era,
  note: (fault: string) => void,
): void {
  const input = isJsonObject(inputSchema)
    ? mendedOnce.inputSchema(inputSchema)
    : mend(inputSchema, 'inputSchema')
  if (input.problem !== undefined) throw new Unlistable(input.problem)
  for (const fault of input.faults) note(fault)
  if (input.schema !== inputSchema) changes['inputSchema'] = input.schema
  if (outputSchema === undefined) return
  // In 2026-07-28 results can be of any type.
  if (era === 'modern' && isJsonObject(outputSchema) && isCompilable(outputSchema)) return
  const output = isJsonObject(outputSchema)
    ? mendedOnce.outputSchema(outputSchema)
    : { faults: [], problem: `outputSchema is ${quoteValue(outputSchema)}` }
  const isUsable = output.schema !== undefined && isCompilable(output.schema)
  const odd = output.problem ?? 'outputSchema is not a valid JSON Schema'
  for (const fault of isUsable ? output.faults : [odd]) note(fault)
  if (output.schema !== outputSchema || !isUsable)
    changes['outputSchema'] = isUsable ? output.schema : undefined
}

interface Mended {
  schema?: JsonObject
  faults: string[]
  /** Why it cannot be mended. */
  problem?: string
}

function mend(given: unknown, path: string): Mended {
  const faults: string[] = []
  try {
    return { schema: mendSchema(given, path, (fault) => faults.push(fault)), faults }
  } catch (error) {
    if (!(error instanceof Unlistable)) throw error
    return { faults, problem: error.message }
  }
}

/** A list is made for each request; its schemas stay the same objects. */
const mendedOnce = {
  inputSchema: oncePer((schema: JsonObject) => mend(schema, 'inputSchema')),
  outputSchema: oncePer((schema: JsonObject) => mend(schema, 'outputSchema')),
}

const maxItems = 200
/** Faults of one definition. */
const maxFaults = 3
const maxLength = 300

/** What is wrong with the definitions of a server, for its operator and for models. */
export function faultsIn(items: CatalogItems, era: Era): Unread[] {
  const kinds = Object.keys(addressOf) as ListedKind[]
  const all = kinds.flatMap((kind) => {
    const seen = new Set<unknown>()
    return items[kind].flatMap((item): Unread[] => {
      const address = item[addressOf[kind]]
      const isTwice = seen.has(address)
      seen.add(address)
      const why = isTwice
        ? 'the server lists it twice, and the first definition is used'
        : describe(listable(kind, item, era))
      return why === undefined ? [] : [{ kind, name: String(address ?? item['name'] ?? ''), why }]
    })
  })
  return all.slice(0, maxItems)
}

function describe({ definition, faults }: Listable): string | undefined {
  if (faults.length === 0) return undefined
  const rest = faults.length - maxFaults
  const named = faults.slice(0, maxFaults).join(', ') + (rest > 0 ? `, and ${rest} more` : '')
  const how = definition ? 'listed with changes' : 'left out of lists; it can be called'
  return `${how}: ${named}`.replace(/\s+/g, ' ').slice(0, maxLength)
}
