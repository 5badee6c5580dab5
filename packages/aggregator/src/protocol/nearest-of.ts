import { plainName } from './plain-name.ts'

/** Characters. Longer texts are not names. */
const maxNameLength = 200

/** Returns at most `count` names similar to `name`, the most similar first. */
export async function nearestOf(
  name: string,
  names: readonly string[],
  count = 3,
): Promise<string[]> {
  if (name.length > maxNameLength) return []
  // Loaded only when a name is wrong.
  const { editDistance } = await import('@pith-mcp/scorer')
  const most = Math.max(2, Math.ceil(name.length / 3))
  const between: Distance = (one, other) => editDistance(one, other, most)
  const plain = plainName(name)
  return names
    .map((candidate) => ({ candidate, distance: distanceTo(plain, plainName(candidate), between) }))
    .filter(({ distance }) => distance <= Math.max(2, plain.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate)
}

/** A name that contains the other is closer than its length suggests. */
function distanceTo(plain: string, candidate: string, between: Distance): number {
  if (candidate === '' || plain === '') return Number.POSITIVE_INFINITY
  if (plain.length > 2 && (candidate.includes(plain) || plain.includes(candidate)))
    return Math.min(2, Math.abs(candidate.length - plain.length) / 4)
  return between(plain, candidate)
}

type Distance = (one: string, other: string) => number
