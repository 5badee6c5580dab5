import type { JournalLine } from '@pith-mcp/aggregator'
import type { FindRecord, RecordedResult } from '@pith-mcp/meter'

/** What one request of a client cost, by the lines of the journal. */
interface Recorded extends RecordedResult {
  client: string | undefined
  from: number
  to: number
}

/** A tool list that a client got: sent tokens, and those of the servers' own lists. */
export interface RecordedList {
  client: string
  session: string | undefined
  at: number
  sent: number
  full: number
}

/** Requests that are kept to be found. */
const maxRequests = 500_000

/** Clocks of client and aggregator are the same; writing takes a while. */
const toleranceMs = 2_000

/** Groups the lines of a journal: those of a batch have one request. */
export async function readRecorded(lines: AsyncIterable<JournalLine>) {
  const byTool = new Map<string, Recorded[]>()
  const byRequest = new Map<string, Recorded>()
  const lists: RecordedList[] = []
  for await (const line of lines) {
    if (line.kind === 'list') noteList(lists, line)
    if ((line.kind !== 'call' && line.kind !== 'meta') || byRequest.size >= maxRequests) continue
    const { request = '' } = line
    const recorded = withLine(byRequest.get(request), line)
    byRequest.set(request, recorded)
    const name = nameOf(line)
    const named = byTool.get(name) ?? []
    if (named.at(-1) !== recorded) named.push(recorded)
    byTool.set(name, named)
  }
  // Each process writes a file of its own, and files are read one after the other.
  lists.sort((a, b) => a.at - b.at)
  return { lists, isPart: byRequest.size >= maxRequests, find: finder(byTool) }
}

/** As a client calls it: a tool of our own, or one of a server by `call` or under its list name. */
const nameOf = ({ kind, module, tool, via }: JournalLine): string =>
  kind === 'meta' ? `${tool}` : via ? JSON.stringify([module, tool]) : `${module}__${tool}`

function noteList(lists: RecordedList[], { client, session, time, ...line }: JournalLine): void {
  const { sentTokens: sent = 0, resultTokens: full = 0 } = line
  if (client === undefined) return
  // A line without sent tokens adds what the servers' lists turned out to be.
  const first = sent === 0 && lists.findLast((list) => list.session === session)
  if (first) first.full += full
  else lists.push({ client, session, at: Date.parse(time), sent, full })
}

function withLine(found: Recorded | undefined, line: JournalLine): Recorded {
  const { kind, client, resultTokens = 0, sentTokens = 0, ms = 0 } = line
  const from = Date.parse(line.time)
  const recorded = found ?? { client, from, to: from, saved: 0, isOwn: true }
  recorded.from = Math.min(recorded.from, from)
  recorded.to = Math.max(recorded.to, from + ms)
  recorded.saved += resultTokens - sentTokens
  if (kind === 'call') recorded.isOwn = false
  return recorded
}

/** Finds the record of a call once, by its tool and time. */
function finder(byTool: ReadonlyMap<string, Recorded[]>) {
  for (const named of byTool.values()) named.sort((a, b) => a.from - b.from)
  const taken = new Set<Recorded>()
  return (client: string, ...[called, from, to]: Parameters<FindRecord>) => {
    const { server, tool, via } = called
    const named = byTool.get(via ? JSON.stringify([server, tool]) : tool) ?? []
    for (let at = firstFrom(named, from - toleranceMs); at < named.length; at++) {
      const recorded = named[at] as Recorded
      if (!(recorded.from <= to + toleranceMs)) return undefined
      const isIt = recorded.to <= to + toleranceMs && isOf(client, recorded.client)
      if (!isIt || taken.has(recorded)) continue
      taken.add(recorded)
      const { isOwn, saved } = recorded
      return { isOwn, saved: isOwn ? 0 : saved }
    }
    return undefined
  }
}

/** The place of the first that began at a time or later, in the order of their times. */
function firstFrom(named: readonly Recorded[], from: number): number {
  let [low, high] = [0, named.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((named[middle] as Recorded).from < from) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether a client gives itself this name: Codex adds to it. */
const isOf = (client: string, name: string | undefined): boolean =>
  name === undefined || name.startsWith(client)

/** A session that never called may have connected this long before its first request. */
const maxWaitMs = 10 * 60_000

/**
 * The list that a session had. For one without recorded calls, it must have been sent shortly
 * before, and to no session that is known.
 */
export function listOf(
  lists: readonly RecordedList[],
  { client, start, isKnown }: { client: string; start: number; isKnown: boolean },
  taken: Set<RecordedList>,
): RecordedList | undefined {
  const before = lists.filter(
    (list) => isOf(client, list.client) && list.at <= start + toleranceMs && !taken.has(list),
  )
  const list = before.findLast(({ at }) => isKnown || at >= start - maxWaitMs)
  if (list) taken.add(list)
  return list
}
