import { attempt } from '#base/attempt'
import { nearestOf } from '#servers/protocol/nearest-of'
import { all, type Place, pathOf, type Step, shapeOf, stepsTo, visits } from './shape.ts'

const maxNearest = 3
/** Characters of a path in a note. */
const maxNotedLength = 200

/** What a list of field names selects. */
export interface FieldSelection {
  /** Undefined if nothing is selected. */
  value: unknown
  /** What a name was read as, what does not exist, and what some items lack, one line each. */
  notes: string[]
}

/**
 * Selects by names and paths such as `items[].title`. Lists on the way need not be written. A path
 * that does not begin at the root is the one nearest to it that ends so. One path selects a value, or
 * a list of them; several select the document with nothing else in it.
 */
export async function selectFields(
  json: unknown,
  paths: readonly string[],
): Promise<FieldSelection> {
  const notes: string[] = []
  const found: (readonly Step[])[] = []
  let places: readonly Place[] | undefined
  for (const path of paths) {
    const steps = stepsOf(path) ?? [path]
    const own = [steps, [path]].find((each) => has(json, each))
    places ??= own === undefined ? shapeOf(json, visits.name).places : undefined
    const place = own === undefined ? placeOf(places ?? [], steps, path) : undefined
    const at = own ?? (place && stepsTo(place))
    if (at === undefined) {
      notes.push(await nearestTo(path, places ?? []))
      continue
    }
    found.push(at)
    if (place) notes.push(shortened(`${path} read as ${pathOf(place)}`))
    const { lacking, total } = lackingOf(json, at)
    if (lacking > 0) notes.push(shortened(`${path} is missing in ${lacking} of ${total}`))
  }
  const [first] = found
  if (first === undefined) return { value: undefined, notes }
  const value = paths.length === 1 ? valueAt(json, first) : project(json, treeOf(found))
  return { value, notes }
}

const shortened = (note: string): string =>
  note.length > maxNotedLength ? `${note.slice(0, maxNotedLength)}…` : note

/** Undefined for what is not a path. */
export function stepsOf(path: string): Step[] | undefined {
  const steps: Step[] = []
  let rest = path.trim().replace(/^\$(?=[.[]|$)/, '')
  // After the root there is a dot, before the first name there is not.
  if (rest !== path.trim()) rest = rest.replace(/^\.(?!\.)/, '')
  while (rest !== '') {
    const [text, name, inBrackets] =
      /^(?:([^.[\]"']+)|\[(\*|\d+|"(?:[^"\\]|\\.)*"|'[^']*')?\])(?:\.(?=[^.[]))?/.exec(rest) ?? []
    if (text === undefined) return undefined
    if (name !== undefined) steps.push(name === '*' ? all : name)
    else if (inBrackets === undefined || inBrackets === '*') steps.push(all)
    else if (inBrackets.startsWith('"')) {
      const quoted = attempt(() => JSON.parse(inBrackets) as string, undefined)
      if (quoted === undefined) return undefined
      steps.push(quoted)
    } else if (inBrackets.startsWith("'")) steps.push(inBrackets.slice(1, -1))
    else steps.push(Number(inBrackets))
    rest = rest.slice(text.length)
  }
  return steps
}

/** The place nearest to the root that ends with these names, or has this one name. */
function placeOf(
  places: readonly Place[],
  steps: readonly Step[],
  name: string,
): Place | undefined {
  const names = steps.filter((step) => step !== all)
  if (names.length === 0 || names.some((each) => typeof each === 'number')) return undefined
  const endsWith = (place: Place | undefined, count: number): boolean => {
    if (count === 0) return true
    if (place?.parent === undefined) return false
    if (place.step === all) return endsWith(place.parent, count)
    return place.step === names[count - 1] && endsWith(place.parent, count - 1)
  }
  return places.find(
    (place) => place.step === name || (place.step !== all && endsWith(place, names.length)),
  )
}

/** True if there is a value, or could be in a list without items. Lists are passed through. */
function has(value: unknown, steps: readonly Step[], at = 0): boolean {
  const step = steps[at]
  if (step === undefined) return true
  if (typeof value !== 'object' || value === null) return false
  if (step !== all && isIn(value, step)) return has(member(value, step), steps, at + 1)
  if (step !== all && !Array.isArray(value)) return false
  const items: unknown[] = Object.values(value)
  if (items.length === 0) return at > 0 || step === all
  return items.some((item) => has(item, steps, step === all ? at + 1 : at))
}

/** Calls for each value of a path, and for each object that lacks it. */
function visitAt(
  json: unknown,
  steps: readonly Step[],
  visitor: { value(value: unknown): void; lacking?(): void; list?(): void },
): void {
  const visit = (value: unknown, at: number): void => {
    const step = steps[at]
    if (step === undefined) visitor.value(value)
    else if (typeof value !== 'object' || value === null) visitor.lacking?.()
    else if (step !== all && isIn(value, step)) visit(member(value, step), at + 1)
    else if (step === all || Array.isArray(value)) {
      visitor.list?.()
      for (const item of Object.values(value)) visit(item, step === all ? at + 1 : at)
    } else visitor.lacking?.()
  }
  visit(json, 0)
}

/** The value, or the list of them. */
function valueAt(json: unknown, steps: readonly Step[]): unknown {
  const values: unknown[] = []
  let isList = false
  visitAt(json, steps, {
    value: (value) => void values.push(value),
    list: () => {
      isList = true
    },
  })
  return isList ? values : values[0]
}

function lackingOf(json: unknown, steps: readonly Step[]): { lacking: number; total: number } {
  let lacking = 0
  let total = 0
  visitAt(json, steps, {
    value: () => void total++,
    lacking: () => {
      lacking++
      total++
    },
  })
  return { lacking, total }
}

/** What is selected of a value: all of it, or what its steps lead to. */
interface Tree {
  isWhole: boolean
  /** By names; indexes are names, too. */
  next: Map<string, Tree>
  each?: Tree
}

const emptyTree = (): Tree => ({ isWhole: false, next: new Map() })

function treeOf(paths: readonly (readonly Step[])[]): Tree {
  const root = emptyTree()
  for (const path of paths) {
    let tree = root
    for (const step of path) {
      if (step === all) {
        tree.each ??= emptyTree()
        tree = tree.each
        continue
      }
      const next = tree.next.get(String(step)) ?? emptyTree()
      tree.next.set(String(step), next)
      tree = next
    }
    tree.isWhole = true
  }
  return root
}

/** The value with nothing but what is selected; undefined if nothing is. */
function project(value: unknown, ...trees: Tree[]): unknown {
  if (trees.some(({ isWhole }) => isWhole)) return value
  if (trees.length === 0 || typeof value !== 'object' || value === null) return undefined
  const treesOf = (key: string, isItem: boolean): Tree[] =>
    trees.flatMap((tree) => {
      const named = tree.next.get(key)
      const own = [...(named ? [named] : []), ...(tree.each ? [tree.each] : [])]
      // Lists that a path does not name are passed through.
      return own.length === 0 && isItem && !tree.each && !hasIndexes(tree) ? [tree] : own
    })
  const members = Object.entries(value).flatMap(([key, item]) => {
    const projected = project(item, ...treesOf(key, Array.isArray(value)))
    return projected === undefined ? [] : [[key, projected] as const]
  })
  if (Array.isArray(value)) return members.map(([, item]) => item)
  return Object.fromEntries(members)
}

const hasIndexes = ({ next }: Tree): boolean => [...next.keys()].every((key) => /^\d+$/.test(key))

/** Says that a path selects nothing, and which paths are like it. */
export const nearestFields = (json: unknown, path: string): Promise<string> =>
  nearestTo(path, shapeOf(json, visits.name).places)

async function nearestTo(path: string, places: readonly Place[]): Promise<string> {
  const steps = (stepsOf(path) ?? [path]).filter((step) => typeof step === 'string')
  const named = places.filter(
    ({ step }) => typeof step === 'string' && step.length <= maxNotedLength,
  )
  const names = [...new Set(named.map(({ step }) => String(step)))]
  const nearest = (await nearestOf(steps.at(-1) ?? path, names, maxNearest)).flatMap((name) => {
    const place = named.find(({ step }) => step === name)
    return place ? [pathOf(place)] : []
  })
  const hint = nearest.length > 0 ? `; nearest: ${nearest.join(', ')}` : ''
  return `${shortened(JSON.stringify(path))} selects nothing${shortened(hint)}`
}

/** A list has more properties than its items. */
const isIn = (value: object, step: Exclude<Step, typeof all>): boolean =>
  (!Array.isArray(value) || /^\d+$/.test(String(step))) && Object.hasOwn(value, step)

const member = (value: object, step: Exclude<Step, typeof all>): unknown =>
  (value as Record<Step, unknown>)[step]
