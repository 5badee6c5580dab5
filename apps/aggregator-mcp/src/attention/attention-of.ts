import { asSentence } from '@pith-mcp/base/as-sentence'
import { countOf } from '@pith-mcp/base/count-of'
import { z } from 'zod'
import type { CurrentFacts } from '../open/running.ts'
import { lossText, refusedText } from '../text-of.ts'
import type { Activity } from './recent-activity.ts'

/** A problem or approval that needs a person. */
export const attentionItem = z
  .object({
    kind: z.string(),
    tone: z.enum(['bad', 'warn', 'info']),
    subject: z.string().describe('The server or setting.'),
    text: z.string(),
    count: z.int().optional().describe('How many tools, calls or requests it stands for.'),
    fix: z.object({
      text: z.string(),
      command: z.string().optional().describe('Of the command line.'),
      page: z.string().optional().describe('Of the console, with its query.'),
    }),
  })
  .meta({ id: 'AttentionItem' })

export type AttentionItem = z.output<typeof attentionItem>

type Facts = Partial<CurrentFacts> & Omit<Activity, 'clients'>
type Fix = AttentionItem['fix']

/** A server fails if it had as many calls in an hour, and this share of them failed. */
const minCalls = 20
const failingShare = 0.25

/** States of servers: what is wrong, and the command and words of what to do. */
const states = [
  ['server_unusable', 'unusable', 'bad', 'cannot be used', 'doctor', 'Correct its entry.'],
  ['server_down', 'down', 'bad', 'is down', 'doctor', 'Check it.'],
  ['needs_sign_in', 'needs_sign_in', 'warn', 'needs a sign-in', 'login', 'Sign in.'],
] as const

/** Outcomes of refused requests: what refused them, and why. */
const refusals = [
  ['limit_reached', 'rate_limited', 'aggregator.limits', 'a rate limit was reached'],
  ['limit_reached', 'budget_spent', 'sessionTokens', 'the token budget of a session was used up'],
  ['limit_reached', 'too_many', 'maxConcurrency', 'too many calls were waiting for a server'],
  ['limit_reached', 'too_many_instances', 'maxInstances', 'a caller had all instances it may have'],
  ['requests_rejected', 'rejected', 'HTTP', 'rules or limits do not allow them'],
] as const

const item = (
  kind: string,
  tone: AttentionItem['tone'],
  [subject, text]: readonly [subject: string, text: string],
  fix: Fix,
  count?: number,
): AttentionItem => ({ kind, tone, subject, text: asSentence(text), fix, count })

/** What needs a person, the most important first. The console and the commands all say this. */
export function attentionOf({ documents = [], idle = [], ...facts }: Facts): AttentionItem[] {
  // A running process knows a gap that the journal has as well.
  const losses = [...facts.gaps, facts.journalLoss ?? []].flat()
  const gaps = new Map(losses.map((loss) => [loss.time, lossText(loss)]))
  const toWrite = { text: 'Make it writable.', ...linesWith({ outcome: 'journal_gap' }) }
  const toSign = { text: 'Use the key of the other replicas, or make the change again.' }
  const toCorrect = { text: 'Correct or remove it.', command: 'aggregator-mcp doctor' }
  return [
    ...[...gaps.values()].map((text) => item('lines_lost', 'bad', ['journal', text], toWrite)),
    ...documents.map((name) =>
      item('document_refused', 'bad', ['database', refusedText(name)], toSign),
    ),
    ...ofServers(facts),
    ...ofApprovals(facts.waitingCalls ?? 0),
    ...ofActivity(facts),
    ...idle.map((text) => {
      const page = pageOfSetting(text)
      return item('setting_idle', 'info', ['configuration', text], { ...toCorrect, page })
    }),
  ]
}

const pageOfSetting = (path: string): string => {
  if (path.startsWith('aggregator.profiles.')) return '/profiles'
  return path.startsWith('aggregator.') ? '/settings' : '/servers'
}

function ofApprovals(count: number | Error): AttentionItem[] {
  if (count === 0) return []
  if (count instanceof Error) {
    const problem = `Calls cannot be approved: ${count.message}`
    return [
      item('approvals_unreadable', 'bad', ['approvals', problem], { text: 'Remove the file.' }),
    ]
  }
  const text = `${countOf(count, 'call')} ${count === 1 ? 'waits' : 'wait'} for your approval`
  const fix = { text: 'Review.', command: 'aggregator-mcp approvals', page: '/approvals' }
  return [item('calls_waiting', 'warn', ['approvals', text], fix, count)]
}

function ofServers({ servers = [] }: Facts): AttentionItem[] {
  const troubled = states.flatMap(([kind, state, tone, trouble, verb, text]) =>
    servers
      .filter((server) => server.state === state)
      .map(({ name, lastError }) => {
        // The error of a sign-in says no more.
        const reason = lastError && verb !== 'login' ? `: ${firstLine(lastError)}` : ''
        const page = `/servers/${encodeURIComponent(name)}`
        const command = `aggregator-mcp ${verb} ${wordOf(name)}`
        return item(kind, tone, [name, `The server ${trouble}${reason}`], { text, command, page })
      }),
  )
  const reviews = servers
    .filter((server) => server.held > 0)
    .map(({ name, held: count }) => {
      const text = `${countOf(count, 'tool')} ${count === 1 ? 'waits' : 'wait'} for your approval`
      const command = `aggregator-mcp pin diff ${wordOf(name)}`
      const fix = { text: 'Review.', command, page: pageOf('pins', { server: name }) }
      return item('tools_held', 'warn', [name, text], fix, count)
    })
  const unreviewed = servers
    .filter(({ notReviewed }) => notReviewed > 0)
    .map(({ name, notReviewed: count, marked }) => {
      const marks = marked > 0 ? `, and ${marked} speak to the model` : ''
      const text = `Not reviewed: ${countOf(count, 'tool')} of it ${count === 1 ? 'runs' : 'run'} as first seen${marks}`
      const command = `aggregator-mcp pin review ${wordOf(name.split('@')[0] ?? '')}`
      return item(
        'not_reviewed',
        'info',
        [name, text],
        { text: 'Review it; with --all, it is pinned as reviewed.', command },
        count,
      )
    })
  return [...troubled, ...reviews, ...unreviewed]
}

function ofActivity({ hour, day }: Facts): AttentionItem[] {
  const failing = [...hour].flatMap(([name, calls]) => {
    const [, server] = /^calls (.*)$/s.exec(name) ?? []
    const failures = hour.get(`failures ${server}`) ?? 0
    if (server === undefined || calls < minCalls || failures < failingShare * calls) return []
    const text = `${failures} of ${calls} calls failed in the last hour`
    const fix = { text: 'See why.', ...linesWith({ server, outcome: 'failed', since: '1h' }) }
    return item('failing', 'warn', [server, text], fix)
  })
  const refused = refusals.flatMap(([kind, outcome, subject, cause]) => {
    const count = day.get(outcome) ?? 0
    const text = `${countOf(count, 'request')} refused in 24 hours: ${cause}`
    const fix = { text: 'See which.', ...linesWith({ outcome, since: '24h' }) }
    return count > 0 ? item(kind, 'warn', [subject, text], fix, count) : []
  })
  const count = day.get('unknown') ?? 0
  const text = `${countOf(count, 'call')} ${count === 1 ? 'was' : 'were'} sent in 24 hours, and the outcome is unknown: the process ended`
  const fix = { text: 'See which.', ...linesWith({ outcome: 'unknown', since: '24h' }) }
  const unknown = count > 0 ? [item('outcome_unknown', 'warn', ['calls', text], fix, count)] : []
  return [...unknown, ...failing, ...refused]
}

/** An item as a line of a command. */
export const lineOf = ({ subject, text, fix }: AttentionItem): string =>
  `  ! ${subject}: ${text} ${fix.command ? fix.text.replace(/\.$/, `: ${fix.command}`) : fix.text}`

const pageOf = (page: string, query: Record<string, string>): string =>
  `/${page}?${new URLSearchParams(query)}`

/** The lines of the journal that an item is about. */
function linesWith(query: Record<string, string>): Omit<Fix, 'text'> {
  const flags = Object.entries(query).map(([name, value]) => `--${name} ${wordOf(value)}`)
  return { command: `aggregator-mcp journal ${flags.join(' ')}`, page: pageOf('journal', query) }
}

/** As a word of a command line. */
const wordOf = (name: string): string => (/^[\w@.-]+$/.test(name) ? name : JSON.stringify(name))

/** Characters of an error. The page of the server has all of it. */
const maxLength = 300

function firstLine(text: string): string {
  const line = (text.split('\n', 1)[0] ?? '').slice(0, maxLength)
  return line === text ? line : `${line} …`
}
