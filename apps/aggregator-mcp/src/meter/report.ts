import {
  recordingClients,
  type SessionCost,
  type ToolCost,
  type Transcripts,
} from '@pith-mcp/meter'
import { z } from 'zod'
import { listOf, type RecordedList, type readRecorded } from './recorded.ts'

const tokens = z.int()

const parts = {
  requests: z.int().describe('Requests to the model.'),
  input: tokens.describe('What its provider counted as input: the sum of the five that follow.'),
  results: tokens.describe('Results of MCP servers, as carried.'),
  ownResults: tokens.describe("Results of the client's own tools."),
  text: tokens.describe('Prompts, and what the model wrote.'),
  preamble: tokens.describe('System prompt, tool definitions and instructions.'),
  rest: tokens.describe('What no record shows, such as reminders and reasoning.'),
  output: tokens.describe('What the model wrote. It is no input of this request.'),
}

const gain = {
  lists: tokens.describe("Carried tokens of Pith's tool list."),
  instructions: tokens.describe("Of Pith's instructions, where a transcript has them."),
  searches: tokens.describe("Of results of Pith's own tools, such as a search."),
  savedLists: tokens.describe("Of the servers' own lists, where the client loads whole lists."),
  savedResults: tokens.describe('Of what results left out.'),
  net: tokens.describe('Saved less added; negative for a loss.'),
}

const cost = {
  calls: z.int(),
  tokens,
  carried: tokens.describe('Tokens × requests that held them.'),
}

/** What sessions on this computer cost. All tokens but `input` and `output` are estimates. */
export const meterReport = z
  .object({
    since: z.string().optional(),
    places: z.array(
      z.object({ client: z.string(), folder: z.string(), files: z.int(), bytes: z.int() }),
    ),
    hasJournal: z.boolean().describe('Whether it is known what Pith added and saved.'),
    sessions: z.int(),
    total: z.object(parts),
    servers: z.array(
      z.object({
        server: z.string(),
        via: z.string().optional().describe('The server through which it was called.'),
        ...cost,
        tools: z.array(z.object({ tool: z.string(), ...cost })),
      }),
    ),
    pith: z
      .object({ sessions: z.int(), lost: z.int(), ...gain })
      .optional()
      .describe('Absent if no session had Pith.'),
    bySession: z
      .array(
        z.object({
          client: z.string(),
          session: z.string(),
          start: z.string(),
          ...parts,
          pith: z.object(gain).optional(),
        }),
      )
      .optional(),
    notes: z.array(z.object({ text: z.string(), count: z.int() })),
  })
  .meta({ id: 'Meter' })

export type MeterReport = z.output<typeof meterReport>

type Gain = Record<keyof typeof gain, number>

/** Undefined for a session without Pith. */
function gainOf(
  session: SessionCost,
  lists: readonly RecordedList[],
  taken: Set<RecordedList>,
): Gain | undefined {
  const { client, start, requests, defers } = session
  const isKnown = session.aggregators.size > 0
  const list = listOf(lists, { client, start, isKnown }, taken)
  if (!isKnown && !list) return undefined
  const { sent = 0, full = 0 } = list ?? {}
  const instructions = [...session.aggregators].map((name) => session.instructions.get(name) ?? 0)
  const added = {
    lists: sent * requests,
    instructions: instructions.reduce((sum, count) => sum + count, 0) * requests,
    searches: session.own,
  }
  // A client that loads definitions on demand would not have carried the lists of the servers.
  const saved = { savedLists: defers ? 0 : full * requests, savedResults: session.saved }
  const net =
    saved.savedLists + saved.savedResults - added.lists - added.instructions - added.searches
  return { ...added, ...saved, net }
}

const keysOf = <T extends object>(shape: T) => Object.keys(shape) as (keyof T)[]

/** The sums of members, rounded. */
const summed = <K extends string>(keys: readonly K[], rows: readonly Record<K, number>[]) =>
  Object.fromEntries(
    keys.map((key) => [key, Math.round(rows.reduce((sum, row) => sum + row[key], 0))]),
  ) as Record<K, number>

/** Sums the transcripts, with what the journal says of them. */
export function reportOf(
  { ledger, places }: Transcripts,
  recorded: Awaited<ReturnType<typeof readRecorded>> | undefined,
  { since, withSessions }: { since: string | undefined; withSessions: boolean },
): MeterReport {
  const taken = new Set<RecordedList>()
  const sessions = [...ledger.sessions.values()]
    .filter(({ requests }) => requests > 0)
    // Those with recorded calls first: a list that is theirs is no other's.
    .sort((a, b) => b.aggregators.size - a.aggregators.size || a.start - b.start)
    .map((session) => ({ ...session, pith: gainOf(session, recorded?.lists ?? [], taken) }))
  const gains = sessions.flatMap(({ pith }) => pith ?? [])
  const byServer = new Map<string, ToolCost[]>()
  for (const row of ledger.tools.values()) {
    const key = JSON.stringify([row.server, row.via])
    const rows = byServer.get(key) ?? []
    if (row.calls > 0 || row.carried > 0) rows.push(row)
    if (rows.length > 0) byServer.set(key, rows)
  }
  const dearest = (a: { carried: number }, b: { carried: number }) => b.carried - a.carried
  const costs = ['calls', 'tokens', 'carried'] as const
  return {
    ...(since && { since }),
    places,
    hasJournal: recorded !== undefined,
    sessions: sessions.length,
    total: summed(keysOf(parts), sessions),
    servers: [...byServer.values()]
      .map((rows) => ({
        server: rows[0]?.server ?? '',
        ...(rows[0]?.via && { via: rows[0].via }),
        ...summed(costs, rows),
        tools: rows.map((row) => ({ tool: row.tool, ...summed(costs, [row]) })).sort(dearest),
      }))
      .sort(dearest),
    ...(gains.length > 0 && {
      pith: {
        sessions: gains.length,
        lost: gains.filter(({ net }) => net < 0).length,
        ...summed(keysOf(gain), gains),
      },
    }),
    ...(withSessions && {
      bySession: sessions
        .sort((a, b) => b.start - a.start)
        .map(({ client, id, start, pith, ...session }) => ({
          ...{ client, session: id, start: new Date(start || 0).toISOString() },
          ...summed(keysOf(parts), [session]),
          ...(pith && { pith: summed(keysOf(gain), [pith]) }),
        })),
    }),
    notes: [...ledger.notes].map(([text, count]) => ({ text, count })),
  }
}

/** Titles of clients by their names. */
export const titleOf = (client: string): string =>
  recordingClients.find(({ name }) => name === client)?.title ?? client
