import { z } from 'zod'
import { nearestOf } from '../protocol/nearest-of.ts'
import { aggregatorSettings } from './aggregator-settings.ts'
import { serverEntry } from './server-entry.ts'

/** An object of the configuration: its path, in which `*` is any name and `[]` any item, and its keys. */
interface Place {
  path: readonly string[]
  keys: readonly string[]
}

export const places: readonly Place[] = [
  { path: [], keys: ['mcpServers', 'aggregator'] },
  ...placesIn(z.record(z.string(), serverEntry), ['mcpServers']),
  ...placesIn(aggregatorSettings, ['aggregator']),
]

/** All objects that a schema describes. */
function placesIn(schema: z.core.$ZodType, path: readonly string[]): Place[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return placesIn(schema.unwrap(), path)
  if (schema instanceof z.ZodPipe) return placesIn(schema.in, path)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((part) => placesIn(part, path))
  if (schema instanceof z.ZodArray) return placesIn(schema.element, [...path, '[]'])
  if (schema instanceof z.ZodRecord) return placesIn(schema.valueType, [...path, '*'])
  if (!(schema instanceof z.ZodObject)) return []
  const members = Object.entries(schema.shape as Record<string, z.core.$ZodType>)
  const keys = members.map(([key]) => key)
  return [{ path, keys }, ...members.flatMap(([key, member]) => placesIn(member, [...path, key]))]
}

/** Places that are named for a misplaced key. */
const maxNamed = 3

/** What is wrong with a key that its object does not have, and where it belongs. */
export async function describeUnknownKey(path: readonly string[], key: string): Promise<string> {
  const what = `${[...path, key].join('.')} is not a known key`
  const isAt = (place: Place): boolean =>
    place.path.length === path.length &&
    place.path.every((part, index) => part === '*' || part === '[]' || part === path[index])
  const here = places.filter(isAt).flatMap(({ keys }) => keys)
  const match = here.find((name) => name.toLowerCase() === key.toLowerCase())
  // Members of items of lists have names that are common elsewhere.
  const elsewhere = places
    .filter(({ path: at, keys }) => keys.includes(key) && !at.includes('[]'))
    .map(({ path: at }) => nameOf(at))
  if (match === undefined && elsewhere.length > 0)
    return `${what}. It belongs in ${[...new Set(elsewhere)].slice(0, maxNamed).join(' or ')}`
  const nearest = match ?? (await nearestOf(key, here))[0]
  return nearest === undefined ? what : `${what}. The most similar key is ${nearest}`
}

const nameOf = (path: readonly string[]): string =>
  path.length === 0
    ? 'the file itself'
    : path.map((part, index) => (part === '*' ? wildcards[path[index - 1] ?? ''] : part)).join('.')

/** What the names of an object stand for. */
const wildcards: Readonly<Record<string, string>> = {
  mcpServers: '<server>',
  accounts: '<account>',
  profiles: '<profile>',
  callers: '<caller>',
  tools: '<tool>',
  annotations: '<tool>',
}
