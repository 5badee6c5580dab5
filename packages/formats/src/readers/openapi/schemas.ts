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
import { type ApiDocument, nameOfReference, referenceIn } from './api-document.ts'

/** Of schemas that are written in one another. */
const maxDepth = 5
/** Alternatives or values of one schema. */
const maxListed = 30
/** Rows of one table. */
const maxRows = 500

const combinations: readonly (readonly [key: string, joint: string])[] = [
  ['oneOf', ' or '],
  ['anyOf', ' or '],
  ['allOf', ' and '],
]

/** The type of a schema in words: `array of Pet`, `string (date-time) or null`. */
export function typeOf(value: unknown, api: ApiDocument, depth = 0): string {
  const reference = referenceIn(value)
  if (reference !== undefined) return nameOfReference(reference)
  if (!isTable(value)) return value === false ? 'nothing' : 'any'
  if (depth > maxDepth || !api.mayContinue()) return '…'
  const inner = (part: unknown) => typeOf(part, api, depth + 1)
  const parts = combinations.flatMap(([key, joint]) => {
    const list = value[key]
    return Array.isArray(list) ? [joinTypes(list, inner, joint)] : []
  })
  const values = 'const' in value ? [value['const']] : value['enum']
  const simple = Array.isArray(values)
    ? joinTypes(values, (each) => jsonOf(each, 200), ' or ')
    : simpleType(value, inner)
  if (simple !== '' && (simple !== 'object' || parts.length === 0)) parts.push(simple)
  const type = [...new Set(parts)].join(' and ')
  return value['nullable'] === true ? `${type} or null` : type
}

/** Each type once; an object says nothing next to others. */
function joinTypes(
  list: readonly unknown[],
  write: (part: unknown) => string,
  joint: string,
): string {
  const names = [...new Set(list.slice(0, maxListed).map(write))]
  const telling = names.filter((name) => name !== 'object')
  const rest = list.length > maxListed ? `${joint}${list.length - maxListed} more` : ''
  return (telling.length > 0 ? telling : names).join(joint) + rest
}

function simpleType(schema: Table, inner: (part: unknown) => string): string {
  const { type, format, items, additionalProperties, properties } = schema
  const implied = properties ? ['object'] : items ? ['array'] : []
  return [type ?? implied]
    .flat()
    .map((name) => {
      if (name === 'array' && items !== undefined) return `array of ${inner(items)}`
      if (name === 'object' && isTable(additionalProperties) && !properties)
        return `map of ${inner(additionalProperties)}`
      return typeof format === 'string' && name !== 'null' ? `${name} (${format})` : String(name)
    })
    .join(' or ')
}

/** The description of a schema with its members. */
export function schemaBlocks(value: unknown, api: ApiDocument): Block[] {
  const schema = api.resolve(value)
  const { description, title, example, examples } = schema
  const type = typeOf(schema, api)
  const facts = [type === 'object' || type === '' ? '' : `Type: ${type}.`, factsOf(schema)]
  return [
    ...textBlock(title === description ? '' : api.text(title)),
    ...describe(api.text(description)),
    ...textBlock(facts.filter(Boolean).join(' ')),
    ...memberTable(schema, api),
    ...exampleBlock(example ?? (Array.isArray(examples) ? examples[0] : undefined)),
  ]
}

/** A table of the members of a schema that are written in it, also in its parts. */
export function memberTable(value: unknown, api: ApiDocument): Block[] {
  const rows: string[][] = []
  let rest = 0
  addMembers(value, '', 0)
  return [
    ...tableBlock(['Name', 'Type', 'Required', 'Description'], rows),
    ...textBlock(rest > 0 ? `[${rest} more members, not read]` : ''),
  ]

  function addMembers(part: unknown, prefix: string, depth: number): void {
    if (!isTable(part) || depth > maxDepth) return
    const { properties = {}, required, items, additionalProperties } = part
    for (const [name, member] of isTable(properties) ? Object.entries(properties) : []) {
      if (!api.mayContinue()) return
      if (rows.length === maxRows) {
        rest++
        continue
      }
      const isRequired = Array.isArray(required) && required.slice(0, maxRows).includes(name)
      rows.push([
        `\`${prefix}${name}\``,
        typeOf(member, api),
        isRequired ? 'yes' : '',
        notesOf(member, api),
      ])
      addMembers(member, `${prefix}${name}.`, depth + 1)
    }
    addMembers(items, `${prefix.replace(/\.$/, '')}[].`, depth + 1)
    addMembers(additionalProperties, `${prefix}*.`, depth + 1)
    for (const [key] of combinations)
      for (const each of Array.isArray(part[key]) ? part[key].slice(0, maxListed) : [])
        if (api.mayContinue()) addMembers(each, prefix, depth + 1)
  }
}

/** The description of a member, and what else is to be observed. */
export const notesOf = (member: unknown, api: ApiDocument): string =>
  isTable(member)
    ? [describeInCell(api.text(member['description'])), factsOf(member)].filter(Boolean).join(' ')
    : ''

const facts: Readonly<Record<string, string>> = {
  deprecated: 'deprecated',
  readOnly: 'read only',
  writeOnly: 'write only',
  default: 'default',
  minimum: 'at least',
  exclusiveMinimum: 'more than',
  maximum: 'at most',
  exclusiveMaximum: 'less than',
  minLength: 'characters at least',
  maxLength: 'characters at most',
  minItems: 'items at least',
  maxItems: 'items at most',
  pattern: 'pattern',
}

/** Bounds and the like: `(read only, default 10)`. */
function factsOf(schema: Table): string {
  const parts = Object.entries(facts).flatMap(([key, words]) => {
    const value = schema[key]
    if (value === undefined || value === false) return []
    return value === true && key !== 'default' ? [words] : [`${words} \`${jsonOf(value, 200)}\``]
  })
  return parts.length === 0 ? '' : `(${parts.join(', ')})`
}
