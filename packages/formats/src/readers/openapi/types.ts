import { isTable, type Table } from '#base/table'
import { jsonOf } from '../../parts/page-builder.ts'
import { type ApiDocument, nameOfReference, referenceIn } from './api-document.ts'

/** Of schemas that are written in one another. */
export const maxDepth = 5
/** Alternatives or values of one schema. */
export const maxListed = 30

/** The type of a schema in words: `array of Pet`, `Common and (Mail or Text)`. */
export function typeOf(value: unknown, api: ApiDocument, depth = 0): string {
  const reference = referenceIn(value)
  if (reference !== undefined) return nameOfReference(reference)
  if (!isTable(value)) return value === false ? 'nothing' : 'any'
  if (depth > maxDepth || !api.mayContinue()) return '…'
  const inner = (part: unknown) => typeOf(part, api, depth + 1)
  const wholes = listIn(value, 'allOf').map(inner)
  const alternatives = ['oneOf', 'anyOf'].flatMap((key) => {
    const list = listIn(value, key)
    return list.length === 0 ? [] : [list.map((part) => nameOf(part, api, depth + 1))]
  })
  const values = 'const' in value ? [value['const']] : value['enum']
  const simple = Array.isArray(values)
    ? joinTypes(
        values.map((each) => jsonOf(each, 200)),
        ' or ',
      )
    : simpleType(value, inner)
  const parts = [...wholes, ...alternatives.map((names) => joinTypes(names, ' or ')), simple]
  // An object says nothing next to what it is made of.
  const telling = [...new Set(parts)].filter((part) => part !== '' && part !== 'object')
  const isSeveral = telling.length > 1
  const type = telling
    .map((part) => (isSeveral && part.includes(' or ') ? `(${part})` : part))
    .join(' and ')
  const known = type || (parts.includes('object') ? 'object' : '')
  return value['nullable'] === true ? [known, 'null'].filter(Boolean).join(' or ') : known
}

/** How an alternative is called: by its title, its reference, what it requires, or its type. */
export function nameOf(part: unknown, api: ApiDocument, depth = 0): string {
  if (!isTable(part) || referenceIn(part) !== undefined) return typeOf(part, api, depth)
  const { title, required } = part
  const type = typeOf(part, api, depth)
  if (typeof title === 'string' && title !== '')
    return type === '' || type === 'object' ? title : `${title} (${type})`
  if (type !== '' && type !== 'object') return type
  const names = Array.isArray(required) ? required.slice(0, maxListed) : []
  return names.length > 0 ? `with ${names.map((name) => `\`${name}\``).join(', ')}` : 'object'
}

export const listIn = (schema: Table, key: string): unknown[] => {
  const list = schema[key]
  return Array.isArray(list) ? list : []
}

/** Each type once. */
function joinTypes(types: readonly string[], joint: string): string {
  const names = [...new Set(types.slice(0, maxListed))].filter((name) => name !== '')
  const rest = types.length > maxListed ? `${joint}${types.length - maxListed} more` : ''
  return names.join(joint) + rest
}

function simpleType(schema: Table, inner: (part: unknown) => string): string {
  const { type, format, items, prefixItems, additionalProperties, properties } = schema
  const implied = properties ? ['object'] : items || prefixItems ? ['array'] : []
  return [type ?? implied]
    .flat()
    .map((name) => {
      if (name === 'array' && Array.isArray(prefixItems))
        return `array of [${joinTypes(prefixItems.map(inner), ', ')}]`
      if (name === 'array' && items !== undefined) return `array of ${inner(items)}`
      if (name === 'object' && isTable(additionalProperties) && !properties)
        return `map of ${inner(additionalProperties)}`
      return typeof format === 'string' && name !== 'null' ? `${name} (${format})` : String(name)
    })
    .join(' or ')
}
