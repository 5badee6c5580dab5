// Lines of a journal as a day of use would leave them, the same for the same seed.
import { toolsOf } from '../../test/console/world/fixture-catalogue.mjs'

export const servers = ['github', 'slack', 'grafana', 'postgres', 'calendar']
const callers = ['ada', 'ben', 'token:ci#a1b2', 'support-bot', undefined]
const profiles = { 'support-bot': 'support', 'token:ci#a1b2': 'ci' }
const metaTools = ['search_tools', 'get_module_schema', 'batch', 'read_more']
/** Outcomes of calls with their messages and their share in percent; the rest is ok. */
const ends = [
  ['tool_error', (n) => `${400 + (n % 5)} Not Found`, 4],
  ['timeout', (n) => `no answer within ${30 + (n % 60)} s`, 2],
  ['rate_limited', (n) => `at most 30 calls a minute; again in ${n % 60} s`, 3],
  ['tool_held', () => 'the tool is held', 1],
  ['upstream_closed', () => 'the server ended: it exited with code 7', 1],
  ['rpc_-32602', (n) => `"${n}" is no identifier`, 1],
  ['cancelled', () => undefined, 1],
]

/** Lehmer's generator. */
export function createRandom(seed) {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** `count` lines of the last `hours` until `until`, milliseconds since 1970, in order of time. */
export function simulateDay({ count, hours, until, seed }) {
  const random = createRandom(seed)
  const pick = (list) => list[Math.floor(random() * list.length)]
  const number = (most, power = 1) => Math.floor(random() ** power * most)
  // Every fourth tool is called by nobody.
  const tools = Object.fromEntries(
    servers.map((server) => [server, toolsOf(server).filter((_, at) => at % 4 > 0)]),
  )
  const times = Array.from({ length: count }, () => until - random() * hours * 3_600_000)
  return times.sort((a, b) => a - b).map((ms) => lineAt(new Date(ms).toISOString()))

  function lineAt(time) {
    const share = random() * 100
    const caller = pick(callers)
    const client = { time, session: `s${number(40)}`, caller, profile: profiles[caller] }
    if (share < 68) return { ...client, kind: 'call', ...callOf(), ...costs(), ...end() }
    if (share < 80) return { ...client, kind: 'meta', tool: pick(metaTools), ...costs(), ...end() }
    if (share < 86) {
      const read = { tool: 'resources/read', target: 'file:///a' }
      const module = random() < 0.9 ? pick(servers) : undefined
      return { ...client, kind: 'read', module, ...read, ...costs(), ...end() }
    }
    if (share < 92) return { ...client, kind: 'list', ...list(), outcome: 'ok' }
    if (share < 94) {
      const question = { tool: 'elicitation/create', message: 'Which one?' }
      const outcome = pick(['ok', 'cannot_ask'])
      return { ...client, kind: 'ask', module: pick(servers), ...question, outcome }
    }
    if (share < 97) {
      const tool = `${pick(['enable', 'disable', 'restart', 'doctor'])} ${pick(servers)}`
      return {
        time,
        kind: 'admin',
        caller: 'owner',
        via: 'console',
        tool,
        outcome: pick(['ok', 'failed']),
      }
    }
    return pick([
      { time, kind: 'event', outcome: 'rejected', message: 'no_credential: POST /mcp', count: 2 },
      { time, kind: 'event', module: 'slack', tool: 'x', outcome: 'tool_held', message: 'changed' },
    ])
  }

  function callOf() {
    const module = pick(servers)
    const account = module === 'calendar' ? pick(['work', 'home']) : undefined
    return { module, account, tool: pick(tools[module]).name, via: pick(['call', 'batch']) }
  }

  function costs() {
    const resultTokens = number(40_000, 6)
    return {
      argsTokens: number(200),
      resultTokens: random() < 0.95 ? resultTokens : undefined,
      sentTokens: random() < 0.9 ? Math.min(resultTokens, 5_000) : undefined,
      ms: number(90_000, 8),
    }
  }

  function list() {
    return { resultTokens: random() < 0.9 ? 31_480 : undefined, sentTokens: 702 }
  }

  function end() {
    let rest = random() * 100
    for (const [outcome, message, percent] of ends) {
      rest -= percent
      if (rest < 0) return { outcome, message: message(number(1_000)) }
    }
    return { outcome: 'ok' }
  }
}
