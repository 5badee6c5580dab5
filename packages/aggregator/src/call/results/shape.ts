/** All items of a list, or members of an object. */
export const all = Symbol('all')

/** A name, an index, or {@link all}. */
export type Step = string | number | typeof all

/** What is known of the values at a path. */
export interface Place {
  step: Step
  parent: Place | undefined
  depth: number
  count: number
  types: Set<string>
  /** Of numbers, lengths of texts, items of lists and members of objects. */
  least: number
  most: number
  /** Undefined if they are many or long. */
  texts: Set<string> | undefined
  /** The first keys of a map. */
  names?: string[]
  inner: Map<Step, Place>
}

/** Values that are looked at for an outline, and for a name. Outer ones come first. */
export const visits = { outline: 6_000, name: 1_000_000 } as const
const maxPlaces = 1_000
const listShare = 6
const maxTexts = 4
const maxTextLength = 24
/** More members with the same keys are those of a map. */
const minMembers = 8
const maxNames = 3
const maxLineLength = 200

export interface Shape {
  /** Outer ones first. */
  places: readonly Place[]
  /** There are more values or paths than were looked at. */
  isPartial: boolean
}

/** The paths of a JSON value, with what is at them. */
export function shapeOf(json: unknown, most: number): Shape {
  const root = placeAt('$', undefined)
  const places = [root]
  let isPartial = false
  let seen = 0
  // Of a long list some items, so that what is in them is seen.
  const maxItems = Math.ceil(most / listShare)
  let level: [unknown, Place][] = [[json, root]]
  while (level.length > 0) {
    const next: typeof level = []
    for (const [value, place] of level) {
      note(value, place)
      if (typeof value !== 'object' || value === null) continue
      const isMap = isMapOfAlike(value)
      if (isMap) place.names ??= Object.keys(value).slice(0, maxNames)
      const isEach = isMap || Array.isArray(value)
      const members = Array.isArray(value) ? value.slice(0, maxItems) : value
      if (Array.isArray(value) && value.length > maxItems) isPartial = true
      for (const [key, member] of Object.entries(members)) {
        const step = isEach ? all : key
        let inner = place.inner.get(step)
        if (++seen > most || (inner === undefined && places.length >= maxPlaces)) {
          isPartial = true
          continue
        }
        if (inner === undefined) {
          inner = placeAt(step, place)
          place.inner.set(step, inner)
          places.push(inner)
        }
        next.push([member, inner])
      }
    }
    level = next
  }
  return { places, isPartial }
}

const placeAt = (step: Step, parent: Place | undefined): Place => ({
  step,
  parent,
  depth: parent === undefined ? 0 : parent.depth + 1,
  count: 0,
  types: new Set(),
  least: Number.POSITIVE_INFINITY,
  most: Number.NEGATIVE_INFINITY,
  texts: new Set(),
  inner: new Map(),
})

function note(value: unknown, place: Place): void {
  place.count++
  place.types.add(typeOf(value))
  const size = sizeOf(value)
  if (size !== undefined) {
    place.least = Math.min(place.least, size)
    place.most = Math.max(place.most, size)
  }
  if (typeof value !== 'string' || place.texts === undefined) return
  if (value.length <= maxTextLength) place.texts.add(value)
  if (value.length > maxTextLength || place.texts.size > maxTexts) place.texts = undefined
}

/** A line for each path, within these characters; the last one counts what is left out. */
export function shapeLines({ places, isPartial }: Shape, characters: number): string[] {
  const lines: string[] = []
  let length = 0
  // What is in an object follows.
  const shown = places.filter(
    ({ depth, types, names }) => depth === 0 || names || types.size > 1 || !types.has('object'),
  )
  for (const place of shown) {
    const line = `${pathOf(place)}: ${describe(place)}`
    length += Math.min(line.length, maxLineLength) + 1
    if (length > characters) break
    lines.push(line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line)
  }
  const more = shown.length - lines.length
  if (more > 0) lines.push(`… ${more} more ${more === 1 ? 'path' : 'paths'}`)
  if (isPartial) lines.push('… of the outer and first values')
  return lines
}

function describe({ types, count, least, most, texts, names }: Place): string {
  const range = (unit = ''): string => `${least === most ? least : `${least}–${most}`}${unit}`
  const isOne = least === 1 && most === 1
  const words: Record<string, () => string> = {
    list: () => range(isOne ? ' item' : ' items'),
    object: () =>
      range(isOne ? ' key' : ' keys') +
      (names ? `, such as ${names.map((name) => JSON.stringify(name)).join(', ')}` : ''),
    number: () => range(),
    string: () =>
      texts && (texts.size < count || count === 1)
        ? [...texts].map((text) => JSON.stringify(text)).join(' | ')
        : `text of ${range(' characters')}`,
  }
  const isMixed = types.size > 1
  return [...types].map((type) => (isMixed ? type : (words[type]?.() ?? type))).join(' | ')
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

function sizeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined
}

/** The members have names of their own, and the same keys: they are like the items of a list. */
function isMapOfAlike(value: object): boolean {
  if (Array.isArray(value)) return false
  const members: unknown[] = Object.values(value)
  if (members.length < minMembers) return false
  const keysOf = (member: unknown): string =>
    typeOf(member) === 'object' ? Object.keys(member as object).join('\0') : ''
  const keys = keysOf(members[0])
  return keys !== '' && members.every((member) => keysOf(member) === keys)
}

export const stepsTo = (place: Place): Step[] =>
  place.parent === undefined ? [] : [...stepsTo(place.parent), place.step]

/** A path as `select` takes it, such as `items[].title`. */
export function pathOf({ step, parent }: Place): string {
  if (parent === undefined) return '$'
  const before = parent.parent === undefined ? '' : pathOf(parent)
  if (step === all) return `${before}[]`
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(String(step)))
    return `${before}[${JSON.stringify(step)}]`
  return before === '' ? String(step) : `${before}.${String(step)}`
}

/** Characters of a text that is short. */
const maxShort = 80
const maxFields = 3

/** Paths of some short values of the largest list of objects, to show how fields are selected. */
export function exampleFields({ places }: Shape): string[] {
  const isShort = ({ types, most }: Place): boolean =>
    ['string', 'number', 'boolean'].some((type) => types.has(type)) &&
    (!types.has('string') || most <= maxShort)
  const [largest] = places
    .filter(({ types, most }) => types.has('list') && most > 1)
    .map((list) => [...(list.inner.get(all)?.inner.values() ?? [])].filter(isShort))
    .sort((a, b) => (b[0]?.count ?? 0) - (a[0]?.count ?? 0))
  return (largest ?? []).slice(0, maxFields).map(pathOf)
}
