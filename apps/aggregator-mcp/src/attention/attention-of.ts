import type { JournalLoss } from '@pith-mcp/aggregator'
import { z } from 'zod'
import type { CurrentFacts } from '../open/running.ts'
import { countOf, lossText, refusedText } from '../text-of.ts'
import type { Activity } from './recent-activity.ts'

const kinds = [
  'lines_lost',
  'document_refused',
  'server_unusable',
  'server_down',
  'needs_sign_in',
  'failing',
  'tools_held',
  'limit_reached',
  'requests_rejected',
  'setting_idle',
] as const

/** A problem or approval that needs a person. */
export const attentionItem = z
  .object({
    kind: z.enum(kinds),
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

/** A server fails if it had as many calls in an hour, and this share of them failed. */
const minCalls = 20
const failingShare = 0.25

type Facts = Partial<CurrentFacts> & Omit<Activity, 'clients'>
type Fix = AttentionItem['fix']
type Rule = (facts: Facts) => Omit<AttentionItem, 'kind'>[]

/** The most important first. */
const rules: Readonly<Record<AttentionItem['kind'], Rule>> = {
  lines_lost: ({ gaps, journalLoss = [] }) =>
    lossesOf([gaps, journalLoss].flat()).map((loss) => {
      const fix = { text: 'Make it writable.', ...linesWith({ outcome: 'journal_gap' }) }
      return { tone: 'bad', subject: 'journal', text: lossText(loss), fix }
    }),
  document_refused: ({ documents = [] }) =>
    documents.map((document) => {
      const fix = { text: 'Use the key of the other replicas, or make the change again.' }
      return { tone: 'bad', subject: 'database', text: refusedText(document), fix }
    }),
  server_unusable: ofState('unusable', 'cannot be used', 'Correct its entry.', 'doctor'),
  server_down: ofState('down', 'is down', 'Check it.', 'doctor'),
  needs_sign_in: ofState('needs_sign_in', 'needs a sign-in', 'Sign in.', 'login'),
  failing: ({ calls, failures }) =>
    [...calls].flatMap(([server, count]) => {
      const bad = failures.get(server) ?? 0
      if (count < minCalls || bad < failingShare * count) return []
      const text = `${bad} of ${count} calls failed in the last hour.`
      const fix = { text: 'See why.', ...linesWith({ server, outcome: 'failed', since: '1h' }) }
      return [{ tone: 'warn', subject: server, text, fix }]
    }),
  tools_held: ({ servers = [] }) =>
    servers
      .filter((server) => server.held > 0)
      .map(({ name, held: count }) => {
        const text = `${countOf(count, 'tool')} ${count === 1 ? 'waits' : 'wait'} for your approval.`
        const command = `aggregator-mcp pin diff ${wordOf(name)}`
        const fix = { text: 'Review.', command, page: pageOf('pins', { server: name }) }
        return { tone: 'warn', subject: name, text, count, fix }
      }),
  limit_reached: ({ refused }) =>
    Object.entries(limits).flatMap(([outcome, [subject, cause]]) =>
      refusedIn(refused, outcome, 'call').map(([count, refusals]) => {
        const fix = { text: 'See which, or raise the limit.', ...linesWith({ outcome, since }) }
        return { tone: 'warn', subject, text: `${refusals}: ${cause}.`, count, fix }
      }),
    ),
  requests_rejected: ({ refused }) =>
    refusedIn(refused, 'rejected', 'request').map(([count, refusals]) => {
      const fix = { text: 'See why.', ...linesWith({ outcome: 'rejected', since }) }
      return { tone: 'warn', subject: 'HTTP', text: `${refusals}.`, count, fix }
    }),
  setting_idle: ({ idle = [] }) =>
    idle.map((text) => {
      const page = text.startsWith('aggregator.profiles.') ? '/profiles' : '/servers'
      const fix = { text: 'Correct or remove it.', command: 'aggregator-mcp doctor', page }
      return { tone: 'info', subject: 'configuration', text, fix }
    }),
}

/** What needs a person. The console and the commands all say this, in these words. */
export const attentionOf = (facts: Facts): AttentionItem[] =>
  kinds.flatMap((kind) => rules[kind](facts).map((item) => ({ kind, ...item })))

/** An item as a line of a command. */
export const lineOf = ({ subject, text, fix }: AttentionItem): string =>
  [`${subject}: ${text}`, fix.text, fix.command].filter(Boolean).join(' ')

/** The settings of limits, and what reaching them is called, by the outcome of refused calls. */
const limits = {
  rate_limited: ['aggregator.limits', 'a rate limit was reached'],
  budget_spent: ['aggregator.limits.sessionTokens', 'the token budget of a session was used up'],
  too_many: ['limits.maxConcurrency', 'too many calls were waiting for a server'],
  too_many_instances: ['maxInstances', 'a caller had started too many instances of a server'],
} as const

const since = '24h'

function refusedIn(refused: Activity['refused'], outcome: string, noun: string) {
  const count = refused.get(outcome) ?? 0
  const text = `${countOf(count, noun)} ${count === 1 ? 'was' : 'were'} refused in 24 hours`
  return count > 0 ? [[count, text] as const] : []
}

const pageOf = (page: string, query: Record<string, string>): string =>
  `/${page}?${new URLSearchParams(query)}`

/** The lines of the journal that an item is about. */
const linesWith = (query: Record<string, string>): Omit<Fix, 'text'> => ({
  command: `aggregator-mcp journal ${Object.entries(query)
    .map(([name, value]) => `--${name} ${wordOf(value)}`)
    .join(' ')}`,
  page: pageOf('journal', query),
})

function ofState(state: string, trouble: string, text: string, verb: string): Rule {
  const tone = state === 'needs_sign_in' ? 'warn' : 'bad'
  return ({ servers = [] }) =>
    servers
      .filter((server) => server.state === state)
      .map(({ name, lastError }) => ({
        tone,
        subject: name,
        text: `The server ${trouble}${lastError ? `: ${firstLine(lastError)}` : '.'}`,
        fix: {
          text,
          command: `aggregator-mcp ${verb} ${wordOf(name)}`,
          page: `/servers/${encodeURIComponent(name)}`,
        },
      }))
}

/** A running process knows a gap that the journal has as well. */
const lossesOf = (losses: readonly JournalLoss[]): JournalLoss[] => [
  ...new Map(losses.map((loss) => [loss.time, loss])).values(),
]

/** As a word of a command line. */
const wordOf = (name: string): string => (/^[\w@.-]+$/.test(name) ? name : JSON.stringify(name))

/** Characters of an error. The page of the server has all of it. */
const maxLength = 300

function firstLine(text: string): string {
  const line = (text.split('\n', 1)[0] ?? '').slice(0, maxLength)
  return line === text ? line : `${line} …`
}
