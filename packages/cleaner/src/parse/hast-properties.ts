import type { Element, Properties } from 'hast'
import type { Token } from 'parse5'
import { find, html, svg } from 'property-information'

type Kind = 'text' | 'words' | 'flag' | 'flag or text'

interface Attribute {
  property: string
  kind: Kind
}

/** Maximum number of cached names, because a page may contain any number. */
const maxNames = 2000

const known = { html: new Map<string, Attribute>(), svg: new Map<string, Attribute>() }

function attribute(name: string, schema: 'html' | 'svg'): Attribute {
  const cached = known[schema].get(name)
  if (cached) return cached
  const info = find(schema === 'svg' ? svg : html, name)
  const kind = info.spaceSeparated
    ? 'words'
    : info.boolean
      ? 'flag'
      : info.overloadedBoolean
        ? 'flag or text'
        : 'text'
  const found: Attribute = { property: info.property, kind }
  if (known[schema].size < maxNames) known[schema].set(name, found)
  return found
}

function words(value: string): string[] {
  // Fast path for a single name, the usual case.
  if (!/\s/.test(value)) return value === '' ? [] : [shared(value)]
  return value.trim().split(/\s+/)
}

const names = new Map<string, string>()

/** One string instance per name saves memory and makes comparisons faster. */
export function shared(name: string): string {
  const known = names.get(name)
  if (known !== undefined) return known
  if (names.size < maxNames) names.set(name, name)
  return name
}

/** The properties of an element by its attributes. */
export function toProperties(
  attributes: readonly Token.Attribute[],
  schema: 'html' | 'svg',
): Properties {
  const properties: Properties = {}
  for (let index = 0; index < attributes.length; index++) {
    const { name, value } = attributes[index] as Token.Attribute
    // `constructor`, `__proto__`: never HTML attributes, and unsafe as object keys.
    if (name in Object.prototype) continue
    const { property, kind } = attribute(name, schema)
    if (kind === 'text') properties[property] = value
    else if (kind === 'words') properties[property] = words(value)
    else properties[property] = kind === 'flag' || value === '' ? true : value
  }
  return properties
}

/** The attributes of an element by its properties. */
export function toAttributes(element: Element): Token.Attribute[] {
  return Object.entries(element.properties).map(([property, value]) => ({
    name: find(html, property).attribute,
    value: Array.isArray(value) ? value.join(' ') : value === true ? '' : String(value),
  }))
}
