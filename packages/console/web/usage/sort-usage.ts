import type { Schemas } from '../api/create-api.ts'

type Group = Schemas['UsageReport']['groups'][number]

const order: Record<string, (a: Group, b: Group) => number> = {
  name: (a, b) => a.name.localeCompare(b.name),
  saved: (a, b) => a.usage.tokensSaved - b.usage.tokensSaved,
  calls: (a, b) => a.usage.calls - b.usage.calls,
  errors: (a, b) => share(a) - share(b),
  out: (a, b) => a.usage.tokensOut - b.usage.tokensOut,
  p50: (a, b) => a.usage.p50 - b.usage.p50,
  p95: (a, b) => a.usage.p95 - b.usage.p95,
}

const share = ({ usage }: Group) => (usage.calls > 0 ? usage.errors / usage.calls : 0)

/** By a column; "-" before its name puts the largest first. */
export function sortUsage(groups: readonly Group[], sort: string): Group[] {
  const isFalling = sort.startsWith('-')
  const sorted = [...groups].sort(order[isFalling ? sort.slice(1) : sort])
  return isFalling ? sorted.reverse() : sorted
}
