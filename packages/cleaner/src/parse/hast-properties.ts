import type { Properties } from 'hast'
import { foreignContent, type Token } from 'parse5'
import { find, html, svg } from 'property-information'

/** What the names of attributes mean. MathML has no properties of its own. */
export type Schema = 'html' | 'svg' | 'math'

type Kind = 'text' | 'words' | 'flag' | 'flag or text'

interface Attribute {
  property: string
  kind: Kind
}

/** Maximum number of cached names, because a page may contain any number. */
const maxNames = 2000

const attributeCache: Record<Schema, Map<string, Attribute>> = {
  html: new Map(),
  svg: new Map(),
  math: new Map(),
}

function attribute(name: string, schema: Schema): Attribute | undefined {
  const cached = attributeCache[schema].get(name)
  if (cached) return cached
  // `constructor`, `__proto__`: never HTML attributes, and unsafe as object keys.
  if (name in Object.prototype) return undefined
  const info = find(schema === 'svg' ? svg : html, schema === 'html' ? name : foreign(name, schema))
  const kind = info.spaceSeparated
    ? 'words'
    : info.boolean
      ? 'flag'
      : info.overloadedBoolean
        ? 'flag or text'
        : 'text'
  const definition: Attribute = { property: owned(info.property), kind }
  if (attributeCache[schema].size < maxNames) attributeCache[schema].set(owned(name), definition)
  return definition
}

/** The name in svg and math, which the tokenizer had put in lower case: `viewBox`, `href`. */
function foreign(name: string, schema: 'svg' | 'math'): string {
  const attribute = { name, value: '' }
  const token = { attrs: [attribute] } as Token.TagToken
  if (schema === 'svg') foreignContent.adjustTokenSVGAttrs(token)
  else foreignContent.adjustTokenMathMLAttrs(token)
  foreignContent.adjustTokenXMLAttrs(token)
  return attribute.name
}

function words(value: string): string[] {
  // Fast path for a single name, the usual case.
  if (!/\s/.test(value)) return value === '' ? [] : [shared(value)]
  return value.trim().split(/\s+/)
}

const names = new Map<string, string>()

/** One string instance per name saves memory and makes comparisons faster. */
export function shared(name: string): string {
  const cachedName = names.get(name)
  if (cachedName !== undefined) return cachedName
  if (names.size >= maxNames) return name
  const copy = owned(name)
  names.set(copy, copy)
  return copy
}

/** A copy of a name: as part of a page, it would keep the whole page in memory. */
export const owned = (name: string): string => name.split('').join('')

/** The properties of an element by its attributes. */
export function toProperties(
  attributes: readonly Token.Attribute[],
  schema: 'html' | 'svg',
): Properties {
  const properties: Properties = {}
  for (const { name, value } of attributes) addProperty(properties, name, value, schema)
  return properties
}

/** Add the property of an attribute; a later attribute of the same property replaces it. */
export function addProperty(
  properties: Properties,
  name: string,
  value: string,
  schema: Schema,
): void {
  const definition = attribute(name, schema)
  if (!definition) return
  const { property, kind } = definition
  if (kind === 'text') properties[property] = value
  else if (kind === 'words') properties[property] = words(value)
  else properties[property] = kind === 'flag' || value === '' ? true : value
}
