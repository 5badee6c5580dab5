import { isCompilable } from '#servers/protocol/json-schema'
import { type Era, isJsonObject, type JsonObject } from '#servers/protocol/message'
import { schemeIn } from '#servers/protocol/normal-uri'
import { oncePer } from '#servers/protocol/once-per'
import { quoteValue } from '#servers/protocol/quote-value'
import { describeValue, withoutInvalid } from '#servers/protocol/without-invalid'
import type { CatalogItems, ItemKind, Unread } from './catalog-entry.ts'
import { defined, mendSchema, NoSchema } from './mend-schema.ts'

/** Kinds whose clients refuse a whole list for one invalid item. */
type ListedKind = Exclude<ItemKind, 'skills'>

const types = {
  tools: { type: 'Tool', address: 'name' },
  prompts: { type: 'Prompt', address: 'name' },
  resources: { type: 'Resource', address: 'uri' },
  resourceTemplates: { type: 'ResourceTemplate', address: 'uriTemplate' },
} as const

interface Listable {
  /** Undefined if it is left out of lists. */
  definition: JsonObject | undefined
  /** Why it is left out, or was changed. */
  faults: readonly string[]
}

/** The definition as clients of an era list it: with the same meaning, or not at all. */
function listable(kind: ListedKind, source: JsonObject, era: Era): Listable {
  const faults: string[] = []
  const note = (fault: string): void => void faults.push(fault)
  const { type, address } = types[kind]
  const { name = source[address] } = source
  // The name is for people: what is addressed is found without it.
  const withName = typeof name === 'string' ? source : { ...source, name: source[address] }
  if (kind === 'resourceTemplates' && schemeIn(String(source[address])) === undefined)
    return {
      definition: undefined,
      faults: ['uriTemplate has no scheme, and would take the addresses of other servers'],
    }
  if (withName !== source) note(`name is ${describeValue(source['name'])}`)
  try {
    const item = kind === 'tools' ? withSchemas(withName, era, note) : withName
    const definition = source[address] === '' ? undefined : withoutInvalid(type, item, note)
    return { definition, faults }
  } catch (error) {
    if (!(error instanceof NoSchema)) throw error
    return { definition: undefined, faults: [error.message] }
  }
}

/** A list is made for each view; the schemas in it stay the same objects. */
const inputOnce = oncePer((schema: JsonObject) => mended(schema, 'inputSchema'))
const outputOnce = oncePer((schema: JsonObject) => mended(schema, 'outputSchema'))

function withSchemas(tool: JsonObject, era: Era, note: (fault: string) => void): JsonObject {
  const { inputSchema, outputSchema } = tool
  const input = isJsonObject(inputSchema)
    ? inputOnce(inputSchema)
    : mended(inputSchema, 'inputSchema')
  if (input.refusal) throw input.refusal
  const output = isJsonObject(outputSchema) ? outputOnce(outputSchema) : undefined
  // In 2026-07-28 results can be of any type. What clients cannot compile, they refuse.
  const schema = era === 'modern' && output ? outputSchema : output?.schema
  const isUsable = isJsonObject(schema) && isCompilable(schema)
  if (outputSchema !== undefined && !isUsable)
    note(
      output?.refusal?.message ??
        `outputSchema is ${output ? 'not valid' : quoteValue(outputSchema)}`,
    )
  for (const fault of input.faults) note(fault)
  if (isUsable && schema !== outputSchema) for (const fault of output?.faults ?? []) note(fault)
  const outputs = isUsable ? schema : undefined
  return input.schema === inputSchema && outputs === outputSchema
    ? tool
    : defined({ ...tool, inputSchema: input.schema, outputSchema: outputs })
}

function mended(schema: unknown, path: string) {
  const faults: string[] = []
  try {
    return { schema: mendSchema(schema, path, (fault) => faults.push(fault)), faults }
  } catch (error) {
    return { refusal: error as NoSchema, faults }
  }
}

/** Items without those that clients of the era cannot list. */
export const itemsFor = (kind: ListedKind, items: readonly JsonObject[], era: Era): JsonObject[] =>
  items.flatMap((item) => {
    const { definition } = listable(kind, item, era)
    return definition ? [definition] : []
  })

const maxItems = 200
/** Faults of one definition. */
const maxFaults = 3
const maxLength = 300

/** What is wrong with the definitions of a server, for its operator and for models. */
export function faultsIn(items: CatalogItems, era: Era): Unread[] {
  const kinds = Object.keys(types) as ListedKind[]
  const all = kinds.flatMap((kind) => {
    const addresses = new Set<unknown>()
    return items[kind].flatMap((item): Unread[] => {
      const address = item[types[kind].address]
      const isTwice = addresses.has(address)
      addresses.add(address)
      const why = isTwice
        ? 'the server lists it twice, and the first definition is used'
        : describe(kind, listable(kind, item, era))
      return why === undefined ? [] : [{ kind, name: String(address ?? item['name'] ?? ''), why }]
    })
  })
  return all.slice(0, maxItems)
}

function describe(kind: ListedKind, { definition, faults }: Listable): string | undefined {
  if (definition && faults.length === 0) return undefined
  const rest = faults.length - maxFaults
  const summary = faults.slice(0, maxFaults).join(', ') + (rest > 0 ? `, and ${rest} more` : '')
  const how = definition
    ? 'listed with changes'
    : `left out of lists${kind === 'tools' ? '; it can be called' : ''}`
  return `${how}: ${summary}`.replace(/\s+/g, ' ').slice(0, maxLength)
}
