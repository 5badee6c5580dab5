import type { Meter } from '@opentelemetry/api'
import { createLabel, isAnswered } from './labels.ts'

/**
 * The counted members of a journal line; has the shape of `JournalLine` of @pith-mcp/aggregator.
 */
export interface MeteredLine {
  kind: 'begun' | 'call' | 'meta' | 'read' | 'ask' | 'list' | 'admin' | 'event'
  module?: string | undefined
  account?: string | undefined
  tool?: string | undefined
  argsTokens?: number | undefined
  resultTokens?: number | undefined
  sentTokens?: number | undefined
  outcome: string
  reason?: string | undefined
  count?: number | undefined
}

/** Outcomes of calls that a rule or limit refused: they saved nothing. */
const refusals = new Set([
  'rate_limited',
  'budget_spent',
  'too_many',
  'tool_held',
  'too_many_instances',
])

/** Counts lines of the journal. */
export function countLines(meter: Meter): (line: MeteredLine) => void {
  const counter = (name: string, description: string) => meter.createCounter(name, { description })
  const calls = counter(
    'pith.calls',
    'Calls of tools; kind meta: of our own; kind read: other requests to servers.',
  )
  const lists = counter('pith.lists', 'Lists of tools that were sent.')
  const rejected = counter(
    'pith.requests.rejected',
    'Requests answered 4xx or 503 before a route saw them, by reason.',
  )
  const events = counter('pith.events', 'What else the journal tells, such as tools that are held.')
  const tokensIn = counter('pith.tokens.in', 'Estimated tokens of arguments.')
  const tokensOut = counter('pith.tokens.out', 'Estimated tokens that were sent to clients.')
  const tokensFull = counter(
    'pith.tokens.full',
    'Estimated tokens of results and lists as servers give them; less those sent, they were saved.',
  )
  const saved = meter.createUpDownCounter('pith.tokens.saved', {
    description: 'Estimated tokens saved since the start; below 0 where ours took more.',
  })
  const servers = createLabel(200)
  const tools = createLabel(500)
  const outcomes = createLabel(60)
  const reasons = createLabel(50)

  function countCall({ kind, module, account, tool = '', outcome }: MeteredLine): void {
    // Names of unknown tools are chosen by clients and must not become labels.
    const isLet = module !== undefined || isAnswered(outcome)
    calls.add(1, {
      kind,
      ...(module !== undefined && { server: servers(unitOf(module, account)) }),
      tool: tools(tool, { key: `${module ?? ''}.${tool}`, isLet }),
      outcome: outcomes(outcome),
    })
  }

  return (line) => {
    const { kind, module, account, outcome } = line
    if (kind === 'event' || kind === 'admin' || kind === 'ask') {
      if (outcome === 'rejected')
        rejected.add(line.count ?? 1, { reason: reasons(line.reason ?? 'other') })
      else events.add(1, { event: kind === 'event' ? outcomes(outcome) : kind })
      return
    }
    const of = module === undefined ? {} : { server: servers(unitOf(module, account)) }
    const { argsTokens = 0, sentTokens = 0, resultTokens = 0 } = line
    if (kind === 'list') lists.add(1)
    else {
      countCall(line)
      tokensIn.add(argsTokens, of)
    }
    tokensOut.add(sentTokens, of)
    tokensFull.add(resultTokens, of)
    if (!refusals.has(outcome)) saved.add(resultTokens - sentTokens, of)
  }
}

const unitOf = (module: string, account: string | undefined): string =>
  account === undefined ? module : `${module}@${account}`
