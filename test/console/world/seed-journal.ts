import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const dayMs = 86_400_000
const callers = ['ana', 'ci', 'ben', 'support-bot']
/** Servers with their share of the calls in percent, and their tools, most called first. */
const shares: readonly (readonly [string, number, string])[] = [
  [
    'github',
    34,
    'list_issues list_pull_requests create_issue list_workflow_runs create_review update_issue list_branches',
  ],
  ['linear', 19, 'list_tickets update_ticket create_comment list_cycles create_ticket'],
  ['postgres', 14, 'list_slow_querys list_tables list_schemas list_locks'],
  ['slack', 12, 'list_messages create_message list_channels list_threads'],
  ['sentry', 8, 'list_error_events list_traces list_project_issues'],
  ['grafana', 6, 'list_dashboards list_panels update_dashboard'],
  ['kubernetes', 4, 'list_pods list_events list_deployments'],
  ['calendar', 3, 'list_events list_free_slots create_event'],
]
const failures: readonly (readonly [string, string])[] = [
  ['tool_error', '404 Not Found'],
  ['tool_error', 'Validation failed: "title" is too long (maximum is 256 characters)'],
  ['timeout', 'No answer within 60 s.'],
  ['rejected', 'At most 30 calls a minute of this caller; again in 12 s.'],
  ['invalid_arguments', 'state has to be one of open, closed, all.'],
]

/** A reproducible sequence of numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

function sharedBy(percent: number): (typeof shares)[number] | undefined {
  let sum = 0
  return shares.find(([, share]) => {
    sum += share
    return percent < sum
  })
}

/** Writes journal files with the calls of an example team. */
export function seedJournal(folder: string, days = 30, now: number = Date.now()): void {
  mkdirSync(folder, { recursive: true })
  const random = createRandom(7)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const byDay = new Map<string, ({ time: string } & Record<string, unknown>)[]>()
  for (let day = days; day >= 0; day--) {
    const start = Math.floor((now - day * dayMs) / dayMs) * dayMs
    const isWeekend = [0, 6].includes(new Date(start).getUTCDay())
    const count = Math.round(
      (isWeekend ? 60 : 220) * (0.7 + random() * 0.6) * (1 + (days - day) / days),
    )
    for (let made = 0; made < count; made++) {
      // Mostly during working hours.
      const hour = random() < 0.85 ? 7 + (random() + random()) * 6 : random() * 24
      const time = start + hour * 3_600_000
      if (time < now - 60_000) add(time)
    }
  }
  for (const [day, lines] of byDay)
    writeFileSync(
      join(folder, `${day}.4242.1.jsonl`),
      lines
        .sort((a, b) => a.time.localeCompare(b.time))
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    )

  function add(time: number): void {
    const iso = new Date(time).toISOString()
    const lines = byDay.get(iso.slice(0, 10)) ?? []
    byDay.set(iso.slice(0, 10), lines)
    const caller = pick(callers)
    const common = { time: iso, session: `s${Math.floor(random() * 900)}`, caller }
    if (random() < 0.06) {
      lines.push({
        ...common,
        kind: 'list',
        resultTokens: 31_480,
        sentTokens: 702,
        ms: 1,
        outcome: 'ok',
      })
      return
    }
    const [module, , names] = sharedBy(random() * 100) ?? ['github', 0, 'list_issues']
    const tools = names.split(' ')
    const tool = tools[Math.floor(random() ** 2 * tools.length)] ?? ''
    const failure = random() < 0.035 ? pick(failures) : undefined
    const resultTokens = failure
      ? 20
      : Math.round(60 + random() ** 6 * (tool.startsWith('list') ? 46_000 : 2_500))
    lines.push({
      ...common,
      kind: 'call',
      ...(caller === 'support-bot' && { profile: 'support' }),
      module,
      ...(module === 'calendar' && { account: pick(['work', 'home']) }),
      tool,
      via: 'call',
      argsHash: Math.floor(random() * 2 ** 48)
        .toString(16)
        .padStart(16, '0'),
      argsBytes: 80 + Math.floor(random() * 400),
      argsTokens: 20 + Math.floor(random() * 100),
      resultBytes: resultTokens * 4,
      resultTokens,
      sentTokens: Math.min(resultTokens, 5_000),
      ms: Math.round(30 + random() ** 4 * (module === 'kubernetes' ? 9_000 : 2_400)),
      outcome: failure?.[0] ?? 'ok',
      ...(failure && { message: failure[1] }),
    })
  }
}
