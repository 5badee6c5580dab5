import type { Block } from '@pith-mcp/cleaner'
import { isTable, type Table } from '#base/table'
import {
  describe,
  describeInCell,
  exampleBlock,
  jsonOf,
  tableBlock,
  textBlock,
} from '../../parts/page-builder.ts'
import { type ApiDocument, entriesIn, nameOfReference, referenceIn } from './api-document.ts'
import { listIn, maxDepth, maxListed, nameOf, typeOf } from './types.ts'

/** Rows of one table. */
const maxRows = 500
/** Tables of alternatives of one schema. */
const maxAlternatives = 100

/** The description of a schema with its members. */
export function schemaBlocks(value: unknown, api: ApiDocument): Block[] {
  const schema = api.resolve(value)
  const { description, title, example } = schema
  const type = typeOf(schema, api)
  const facts = [type === 'object' || type === '' ? '' : `Type: ${type}.`, factsOf(schema, api)]
  return [
    ...textBlock(title === description ? '' : api.text(title)),
    ...describe(api.text(description)),
    ...textBlock(facts.filter(Boolean).join(' ')),
    ...memberTable(schema, api),
    ...[example, ...listIn(schema, 'examples')].flatMap(exampleBlock),
  ]
}

/** A part that does not always apply, and where it is. */
interface Alternative {
  label: string
  part: unknown
  prefix: string
  depth: number
}

/** Keys whose schemas are alternatives, or apply in some cases only, with words for them. */
const cases: readonly (readonly [key: string, label: string])[] = [
  ['oneOf', 'One of them'],
  ['anyOf', 'One or more of them'],
  ['if', 'If'],
  ['then', 'Then'],
  ['else', 'Otherwise'],
  ['not', 'Not'],
]

/** Tables of the members that are written in a schema: its own, and those of each alternative. */
export function memberTable(value: unknown, api: ApiDocument): Block[] {
  const blocks: Block[] = []
  const queue: Alternative[] = [{ label: '', part: value, prefix: '', depth: 0 }]
  for (let count = 0; queue.length > 0; count++) {
    const next = queue.shift()
    if (next && count < maxAlternatives) blocks.push(...new Members(api, queue).blocks(next))
    else api.counts.add('alternative past the limit', 1)
  }
  return blocks
}

/** The members of one alternative. */
class Members {
  readonly #api: ApiDocument
  readonly #queue: Alternative[]
  /** By the names of the members. */
  readonly #rows = new Map<string, string[]>()
  readonly #required = new Set<string>()
  readonly #notes: string[] = []
  #rest = 0

  constructor(api: ApiDocument, queue: Alternative[]) {
    this.#api = api
    this.#queue = queue
  }

  blocks({ label, part, prefix, depth }: Alternative): Block[] {
    this.#add(part, prefix, depth)
    const others = [...this.#required].filter((name) => !this.#rows.has(name))
    const rows = [...this.#rows].map(([name, [type = '', notes = '']]) => {
      return [`\`${name}\``, type, this.#required.has(name) ? 'yes' : '', notes]
    })
    const required = others.slice(0, maxRows).map((name) => `\`${name}\``)
    const body = [
      ...tableBlock(['Name', 'Type', 'Required', 'Description'], rows),
      ...textBlock(required.length > 0 ? `Required: ${required.join(', ')}.` : ''),
      ...this.#notes.flatMap(textBlock),
      ...textBlock(this.#rest > 0 ? `[${this.#rest} more members, not read]` : ''),
    ]
    const about = label && isTable(part) ? notesOf({ ...part, title: '' }, this.#api) : ''
    return [
      ...textBlock(body.length > 0 || about ? [label, about].filter(Boolean).join(' ') : ''),
      ...body,
    ]
  }

  #add(part: unknown, prefix: string, depth: number): void {
    if (!isTable(part)) return
    if (depth > maxDepth) {
      this.#api.counts.add('schema past the limit of depth', 1)
      return
    }
    const { properties, required, items, prefixItems, additionalProperties, contains } = part
    const names = Array.isArray(required) ? required.slice(0, maxRows).map(String) : []
    for (const name of names) this.#required.add(prefix + name)
    for (const [name, member] of isTable(properties) ? Object.entries(properties) : [])
      this.#addRow(prefix + name, member, depth)
    for (const [pattern, member] of entriesIn(part['patternProperties']))
      this.#addRow(`${prefix}/${pattern}/`, member, depth)
    const inItem = `${prefix.replace(/\.$/, '')}[].`
    for (const each of [items, contains, ...(Array.isArray(prefixItems) ? prefixItems : [])])
      this.#add(each, inItem, depth + 1)
    this.#add(additionalProperties, `${prefix}*.`, depth + 1)
    for (const each of listIn(part, 'allOf'))
      if (this.#api.mayContinue()) this.#add(each, prefix, depth + 1)
    this.#addCases(part, prefix, depth)
  }

  #addRow(name: string, member: unknown, depth: number): void {
    if (!this.#api.mayContinue()) return
    if (this.#rows.size === maxRows) {
      this.#rest++
      return
    }
    const row = [typeOf(member, this.#api), notesOf(member, this.#api)]
    // Parts of a schema can have the same member.
    const known = this.#rows.get(name)
    this.#rows.set(name, known ? known.map((cell, at) => bothOf(cell, row[at] ?? '')) : row)
    this.#add(member, `${name}.`, depth + 1)
  }

  #addCases(part: Table, prefix: string, depth: number): void {
    const add = (label: string, each: unknown) => {
      // A schema with a name has a section of its own.
      if (isTable(each) && this.#api.mayContinue())
        this.#queue.push({ label: `**${label}**`, part: each, prefix, depth: depth + 1 })
    }
    const where = prefix && ` (\`${prefix.replace(/\.$/, '')}\`)`
    for (const [key, label] of cases)
      for (const each of [part[key] ?? []].flat().slice(0, maxListed))
        add(`${label}${where}: ${nameOf(each, this.#api)}`, each)
    for (const [name, each] of entriesIn(part['dependentSchemas']))
      add(`With \`${prefix}${name}\``, each)
    const dependent = part['dependentRequired']
    for (const [name, others] of isTable(dependent) ? Object.entries(dependent) : [])
      this.#notes.push(`\`${prefix}${name}\` requires ${listOf(others)}.`)
  }
}

const bothOf = (one: string, other: string): string =>
  one === other || other === '' ? one : [one, other].filter(Boolean).join(' and ')

const listOf = (value: unknown): string =>
  [value]
    .flat()
    .slice(0, maxListed)
    .map((each) => `\`${each}\``)
    .join(', ')

/** The description of a member, and what else is to be observed. */
export function notesOf(member: unknown, api: ApiDocument): string {
  if (!isTable(member)) return ''
  const { title, description, example } = member
  const examples = [example, ...listIn(member, 'examples')]
    .filter((value) => value !== undefined && referenceIn(member) === undefined)
    .map((value) => `\`${jsonOf(value, 200)}\``)
  return [
    title === description ? '' : api.text(title),
    describeInCell(api.text(description)),
    factsOf(member, api),
    examples.length > 0 ? `Example: ${examples.slice(0, maxListed).join(', ')}` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

const facts: Readonly<Record<string, string>> = {
  deprecated: 'deprecated',
  readOnly: 'read only',
  writeOnly: 'write only',
  default: 'default',
  minimum: 'at least',
  exclusiveMinimum: 'more than',
  maximum: 'at most',
  exclusiveMaximum: 'less than',
  multipleOf: 'a multiple of',
  minLength: 'characters at least',
  maxLength: 'characters at most',
  minItems: 'items at least',
  maxItems: 'items at most',
  uniqueItems: 'each item once',
  minContains: 'such items at least',
  maxContains: 'such items at most',
  minProperties: 'members at least',
  maxProperties: 'members at most',
  pattern: 'pattern',
  contentEncoding: 'encoded in',
  contentMediaType: 'of the media type',
  collectionFormat: 'items joined by',
  $comment: 'comment',
}

/** Schemas in a schema about which there is something to be said beyond its type. */
const innerKeys = [
  ['items', 'each'],
  ['prefixItems', 'item'],
  ['additionalProperties', 'each value'],
  ['contains', 'such items'],
  ['propertyNames', 'names'],
  ['unevaluatedProperties', 'other members'],
  ['unevaluatedItems', 'other items'],
  ['contentSchema', 'contents'],
  ['not', 'not'],
] as const

/** What is said of a schema in another; of one whose type is said already, without that. */
function innerNotes(key: string, part: Table, api: ApiDocument, depth: number): string {
  const hasType = /^(?:items|prefixItems|additionalProperties)$/.test(key)
  if (hasType && referenceIn(part) !== undefined) return ''
  const text = describeInCell(api.text(part['description']))
  const type = hasType ? '' : typeOf(part, api)
  return [type, text, factsOf(part, api, depth)].filter(Boolean).join(' ')
}

/** A bound; OpenAPI 3.0 says `true` where the bound itself is excluded. */
function boundOf(schema: Table, key: string): unknown {
  const bound = /^(?:exclusiveM|m)(inimum|aximum)$/.exec(key)?.[1]
  if (bound === undefined || schema[`exclusiveM${bound}`] !== true) return schema[key]
  return key.startsWith('exclusive') ? schema[`m${bound}`] : undefined
}

/** Bounds and the like: `(read only, default 10)`. */
function factsOf(schema: Table, api: ApiDocument, depth = 0): string {
  const parts = Object.entries(facts).flatMap(([key, words]) => {
    const value = boundOf(schema, key)
    if (value === undefined || value === false)
      return key === 'default' && value === false ? [`${words} \`false\``] : []
    return value === true && key !== 'default' ? [words] : [`${words} \`${jsonOf(value, 200)}\``]
  })
  if (schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false)
    parts.push('no other members')
  for (const [key, words] of innerKeys)
    for (const [at, part] of [schema[key] ?? []].flat().entries()) {
      const text = isTable(part) && depth < maxDepth ? innerNotes(key, part, api, depth + 1) : ''
      if (text !== '') parts.push(`${key === 'prefixItems' ? `item ${at}` : words}: ${text}`)
    }
  const { discriminator, externalDocs } = schema
  if (isTable(discriminator)) parts.push(discriminatorOf(discriminator))
  if (typeof discriminator === 'string') parts.push(`chosen by \`${discriminator}\``)
  if (isTable(externalDocs)) parts.push(seeOf(externalDocs, api))
  return parts.length === 0 ? '' : `(${parts.join(', ')})`
}

/** Which value of a member selects which schema. */
function discriminatorOf({ propertyName, mapping, defaultMapping }: Table): string {
  const schemaOf = (target: unknown) => nameOfReference(String(target)) || String(target)
  const values = Object.entries(isTable(mapping) ? mapping : {})
    .slice(0, maxListed * 10)
    .map(([value, target]) => `\`${value}\` → ${schemaOf(target)}`)
  if (defaultMapping !== undefined) values.push(`otherwise → ${schemaOf(defaultMapping)}`)
  return `chosen by \`${propertyName}\`: ${values.join(', ') || 'its values are the names of the schemas'}`
}

/** `See <address>: description`. */
export const seeOf = ({ url, description }: Table, api: ApiDocument): string =>
  `see ${[api.text(url), api.text(description)].filter(Boolean).join(': ')}`
