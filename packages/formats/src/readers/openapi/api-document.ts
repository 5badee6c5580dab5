import { decoded } from '#base/decoded'
import { isTable, type Table, valueAt } from '#base/table'
import { Counts } from '../../parts/counts.ts'

/** References that lead to one another. */
const maxHops = 16
/** Of references that are followed and members that are written, for one page. */
const maxSteps = 300_000
/** Of all descriptions, which references can repeat. */
const maxText = 8 * 2 ** 20

/** A description of an API, in which references are resolved, within a limit for all of its page. */
export class ApiDocument {
  readonly root: Table
  readonly counts: Counts = new Counts()
  readonly #elsewhere = new Set<string>()
  #steps = 0
  #textLength = 0

  constructor(root: Table) {
    this.root = root
  }

  /** What a value or the target of its reference is; empty for a reference to another file. */
  resolve(value: unknown): Table {
    let target = value
    // What a reference has of its own comes before what it leads to.
    const stated: Table = {}
    for (let hops = 0; hops < maxHops && isTable(target) && this.mayContinue(); hops++) {
      const reference = referenceIn(target)
      if (reference === undefined) return { ...target, ...stated }
      for (const key of ['summary', 'description'])
        if (target[key] !== undefined) stated[key] ??= target[key]
      if (!reference.startsWith('#')) {
        if (!this.#elsewhere.has(reference)) this.counts.add('reference to another file', 1)
        this.#elsewhere.add(reference)
        return { description: `See ${reference}.` }
      }
      target = valueAt(this.root, pathOf(reference))
    }
    return {}
  }

  /** False past the limit, which is counted. */
  mayContinue(): boolean {
    if (this.#steps++ < maxSteps) return true
    this.counts.add('part past the limit', 1)
    return false
  }

  /** A text of the document; empty past the limit, which is counted. */
  text(value: unknown): string {
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text !== 'string' || text === '') return ''
    this.#textLength += text.length
    if (this.#textLength <= maxText) return text
    this.counts.add('description past the limit', 1)
    return ''
  }
}

export function referenceIn(value: unknown): string | undefined {
  const reference = isTable(value) ? value['$ref'] : undefined
  return typeof reference === 'string' ? reference : undefined
}

/** `#/components/schemas/Pet`, as the keys of a path. */
const pathOf = (reference: string): string[] =>
  decoded(reference.slice(2))
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The last key of a reference: `Pet`. */
export const nameOfReference = (reference: string): string =>
  reference.startsWith('#') ? (pathOf(reference).at(-1) ?? '') : reference

export const tablesOf = (value: unknown): Table[] =>
  Array.isArray(value) ? value.filter(isTable) : []

/** The entries of a table whose values are tables. */
export const entriesIn = (value: unknown): [string, Table][] =>
  isTable(value)
    ? Object.entries(value).filter((entry): entry is [string, Table] => isTable(entry[1]))
    : []

/** Texts of a list, or one text, with commas. */
export const joined = (value: unknown): string =>
  [value ?? []].flat().slice(0, 50).map(String).join(', ')
