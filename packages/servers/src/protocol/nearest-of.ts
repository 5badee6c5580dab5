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
  const between: Distance = (a, b) => editDistance(a, b, most)
  const query = plainName(name)
  return names
    .map((candidate) => ({ candidate, distance: distanceTo(query, plainName(candidate), between) }))
    .filter(({ distance }) => distance <= Math.max(2, query.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate)
}

/** A name that contains the other is closer than its length suggests. */
function distanceTo(query: string, candidate: string, between: Distance): number {
  if (candidate === '' || query === '') return Number.POSITIVE_INFINITY
  if (query.length > 2 && (candidate.includes(query) || query.includes(candidate)))
    return Math.min(2, Math.abs(candidate.length - query.length) / 4)
  return between(query, candidate)
}

type Distance = (a: string, b: string) => number
