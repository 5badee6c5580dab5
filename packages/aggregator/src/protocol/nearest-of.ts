import { plainName } from './plain-name.ts'

/** Longer texts are no names. */
const longestName = 200

/** The names most like one, at most `count`, the nearest first; none that are far from it. */
export async function nearestOf(
  name: string,
  names: readonly string[],
  count = 3,
): Promise<string[]> {
  if (name.length > longestName) return []
  // Loaded only for names that are wrong.
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

/** A name that is part of another is nearer than its length says. */
function distanceTo(plain: string, candidate: string, between: Distance): number {
  if (candidate === '' || plain === '') return Number.POSITIVE_INFINITY
  if (plain.length > 2 && (candidate.includes(plain) || plain.includes(candidate)))
    return Math.min(2, Math.abs(candidate.length - plain.length) / 4)
  return between(plain, candidate)
}

type Distance = (one: string, other: string) => number
