import type { JsonObject } from '#servers/protocol/message'
import { StoredValue } from '../../call/stages/stored-arguments.ts'

/** `${id}` or `${id.path[0].to["a value"]}`; `$${` is an escaped `${`. */
const pattern = /\$(\$\{)|\$\{([A-Za-z_][A-Za-z0-9_-]*)((?:\.[^.[\]{}]+|\[\d+\]|\["[^"]*"\])*)\}/g

export interface Reference {
  id: string
  /** Keys and indexes, in order. */
  path: readonly (string | number)[]
  /** As written. */
  text: string
}

const maxDepth = 32

function textsIn(value: unknown, depth = 0): string[] {
  if (depth > maxDepth) return []
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || value instanceof StoredValue) return []
  return Object.values(value).flatMap((item) => textsIn(item, depth + 1))
}

/** All references in a value. */
export const referencesIn = (value: unknown): Reference[] => textsIn(value).flatMap(inText)

/** A text with a `${` that is neither a reference nor escaped, if there is one. */
export const oddReferenceIn = (value: unknown): string | undefined =>
  textsIn(value).find((text) => text.replace(pattern, '').includes('${'))

/**
 * Replaces all references by what `resolve` returns. A text that consists of one reference becomes
 * its value, of any type; within a text, values are converted to text.
 */
export function replaceReferences(
  value: unknown,
  resolve: (reference: Reference) => unknown,
  depth = 0,
): unknown {
  if (depth > maxDepth || value instanceof StoredValue) return value
  if (typeof value === 'string') return replaceInText(value, resolve)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => replaceReferences(item, resolve, depth + 1))
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, item]) => [
      key,
      replaceReferences(item, resolve, depth + 1),
    ]),
  )
}

function replaceInText(text: string, resolve: (reference: Reference) => unknown): unknown {
  const [only] = inText(text)
  if (only?.text === text) return resolve(only)
  return text.replace(pattern, (match, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped
    const [reference] = inText(match)
    const value = reference ? resolve(reference) : match
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}

function inText(text: string): Reference[] {
  return [...text.matchAll(pattern)].flatMap(([match, escaped, id, path = '']) =>
    escaped === undefined && id !== undefined ? [{ id, path: stepsOf(path), text: match }] : [],
  )
}

function stepsOf(path: string): (string | number)[] {
  return [...path.matchAll(/\.([^.[\]{}]+)|\[(\d+)\]|\["([^"]*)"\]/g)].map(
    ([, name, index, quoted]) => (index === undefined ? (name ?? quoted ?? '') : Number(index)),
  )
}
