// The figures of the pages, counted from lines of a journal by nothing of the product.

const refusals = ['rate_limited', 'budget_spent', 'too_many', 'tool_held', 'too_many_instances']
const called = (kind) => kind === 'call' || kind === 'meta' || kind === 'read'

export const isRefused = ({ outcome }) => refusals.includes(outcome)
export const isCall = ({ kind }) => called(kind)

/** What a page says of lines: calls, failures, latencies and tokens. */
export function figuresOf(all) {
  const lines = all.filter(({ kind }) => called(kind) || kind === 'list')
  const refused = lines.filter(isRefused)
  const rest = lines.filter((line) => !isRefused(line))
  const sum = (list, of) => list.reduce((total, line) => total + (of(line) ?? 0), 0)
  const times = rest.flatMap(({ ms }) => (ms === undefined ? [] : [ms])).sort((a, b) => a - b)
  const at = (share) => times[Math.floor(times.length * share)] ?? 0
  const calls = rest.filter(({ kind }) => called(kind))
  const failed = calls.filter(({ outcome }) => outcome !== 'ok')
  return {
    calls: calls.length,
    failed: failed.length,
    share: calls.length > 0 ? (failed.length / calls.length) * 100 : 0,
    refused: refused.length,
    in: sum([...calls, ...refused], ({ argsTokens }) => argsTokens),
    out: sum(lines, ({ sentTokens }) => sentTokens),
    saved: sum(rest, ({ kind, resultTokens, sentTokens }) =>
      kind === 'list' && resultTokens === undefined ? 0 : (resultTokens ?? 0) - (sentTokens ?? 0),
    ),
    p50: at(0.5),
    p95: at(0.95),
  }
}

/** Names of groups, as the pages have them. */
const ownNames = { list: '(lists)', read: '(reads)', meta: '(meta-tools)' }
const names = {
  Server: ({ module, kind }) => module ?? ownNames[kind],
  Tool: ({ module, tool, kind }) => (module ? `${module}.${tool}` : (tool ?? ownNames[kind])),
  Account: ({ module, account, kind }) => (module ? `${module}@${account ?? '-'}` : ownNames[kind]),
  Caller: ({ caller }) => caller ?? '-',
  Profile: ({ profile }) => profile ?? '-',
  Day: ({ time }) => time.slice(0, 10),
  Outcome: ({ outcome }) => outcome,
}
export const groupings = Object.keys(names)

export function groupsOf(lines, by) {
  const groups = new Map()
  for (const line of lines.filter(({ kind }) => called(kind) || kind === 'list')) {
    const name = names[by](line)
    groups.set(name, [...(groups.get(name) ?? []), line])
  }
  return new Map([...groups].map(([name, list]) => [name, figuresOf(list)]))
}

/**
 * Whether a text of a screen, such as "12.4k" or "1.23 s", is a value as far as its digits tell.
 * Latencies are counted with three digits. Thousands are apart by a narrow blank.
 */
export function agrees(text, value) {
  const plain = text.replace(/\u202f(?=\d{3})/g, '').replace(/\u202f/g, ' ')
  const [, minutes, seconds] = /^(\d+) min (\d+) s$/.exec(plain) ?? []
  if (minutes) return Math.abs((Number(minutes) * 60 + Number(seconds)) * 1_000 - value) <= 550
  if (/^< 0\.1 %$/.test(plain)) return value > 0 && value < 0.1
  const [, digits, unit = ''] = /^(-?[\d.]+)\s*(k|M|B|ms|s|%)?$/.exec(plain) ?? []
  if (digits === undefined) return false
  const scale = { k: 1e3, M: 1e6, B: 1e9, s: 1e3 }[unit] ?? 1
  const size = Math.abs(Number(digits))
  const tolerances = { k: size >= 100 ? 0.5 : 0.05, s: size >= 10 ? 0.1 : 0.01, '%': 0.05 }
  const tolerance = (tolerances[unit] ?? tolerances[/[MB]/.test(unit) ? 'k' : ''] ?? 0) * scale
  return Math.abs(Number(digits) * scale - value) <= tolerance + 1e-6
}
