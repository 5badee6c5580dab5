import { editDistance } from '@pith-mcp/scorer'

/** What differs only in case, blanks and separators is one name. */
export const plainName = (name: string): string =>
  name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** The names most like one, at most `count`, the nearest first; none that are far from it. */
export function nearestOf(name: string, names: readonly string[], count = 3): string[] {
  const plain = plainName(name)
  return names
    .map((candidate) => ({ candidate, distance: distanceTo(plain, plainName(candidate)) }))
    .filter(({ distance }) => distance <= Math.max(2, plain.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate)
}

/** A name that is part of another is nearer than its length says. */
function distanceTo(plain: string, candidate: string): number {
  if (plain.length > 2 && (candidate.includes(plain) || plain.includes(candidate)))
    return Math.min(2, Math.abs(candidate.length - plain.length) / 4)
  return editDistance(plain, candidate, Math.max(2, Math.ceil(plain.length / 3)))
}
