import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import {
  type JournalLine,
  type JournalReader,
  journalKinds,
  journalLine,
} from '@pith-mcp/aggregator'
import { countOf } from '@pith-mcp/base/count-of'
import { csvCell } from '@pith-mcp/base/csv-cell'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { journalFilter, journalMembers } from '../operations/journal.ts'
import { timeOf } from '../since.ts'
import { jsonFor, lineFor } from '../text-of.ts'
import { type Command, type CommandContext, oneOf } from './command.ts'
import { withJournal } from './with-journal.ts'

type Lines = AsyncIterable<JournalLine>

const columns = journalLine.keyof().options

/** Texts of the lines, with what precedes them. */
const journalFormats = {
  async *text(lines: Lines) {
    for await (const line of lines) yield `${lineFor(textOf(line))}\n`
  },
  async *jsonl(lines: Lines) {
    for await (const line of lines) yield `${jsonFor(line)}\n`
  },
  /** RFC 4180. */
  async *csv(lines: Lines) {
    yield `${columns.join(',')}\r\n`
    for await (const line of lines)
      yield `${columns.map((name) => cellOf(line[name])).join(',')}\r\n`
  },
} as const

function textOf(line: JournalLine): string {
  const { time, kind, module, account, tool, target, outcome, ms, sentTokens, caller, message } =
    line
  const unit = module && (account === undefined ? module : `${module}@${account}`)
  const parts = [
    time,
    kind,
    [unit, tool].filter(Boolean).join('.'),
    target ?? '',
    outcome,
    ms === undefined ? '' : `${ms} ms`,
    sentTokens === undefined ? '' : `${sentTokens} tokens`,
    caller === undefined ? '' : `by ${caller}`,
    message ?? '',
    line.change ?? '',
  ]
  return parts.filter(Boolean).join('  ')
}

/** Names and messages come from servers. */
const cellOf = (value: unknown): string =>
  csvCell(typeof value === 'string' ? lineFor(value) : value)

const formats = Object.keys(journalFormats) as (keyof typeof journalFormats)[]
const defaultLimit = 100
/** Milliseconds between looks for new lines. */
const followMs = 500
const strings = [
  ...Object.keys(journalMembers),
  'outcome',
  'cause',
  'text',
  'since',
  'until',
  'limit',
]

export const command: Command = {
  usage: `aggregator-mcp journal [--kind ${journalKinds.join('|')}] [--server SERVER] [--tool TOOL]
    [--account ACCOUNT] [--caller CALLER] [--profile PROFILE] [--session ID]
    [--request ID] [--outcome OUTCOME|failed|refused] [--cause CAUSE] [--text TEXT]
    [--since 7d|24h|2026-11-01] [--until TIME] [--limit N] [--format ${formats.join('|')}] [--follow]
aggregator-mcp journal verify [--json]

Print lines of the journal, the oldest first: the newest ${defaultLimit} as text, or all for export as JSON
lines or CSV. --limit prints the newest N; --follow goes on with new ones until ctrl-C, beginning
with those of today and yesterday. verify finds lines, days and writers that were changed or removed
after they were written, but for those that retention removed, and exits with 1 if there are any;
--json adds the latest chain value of each writer. Compare these with values that are kept elsewhere
to find what was changed together with the record of writers.`,
  options: {
    ...Object.fromEntries(
      [...strings, 'format'].map((name) => [name, { type: 'string' } as const]),
    ),
    follow: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run(context) {
    const { words, values } = context
    const [action] = words
    if (action === 'verify')
      return withJournal(context, 'journal', (journal) => verify(journal, context))
    if (action !== undefined)
      throw new UsageError(`journal: The only action is verify, got "${action}".`)
    const options = values as Partial<Record<string, string>>
    const { kind, format = 'text', limit, text } = options
    if (kind !== undefined) oneOf(journalKinds, kind, 'journal: --kind')
    const write = journalFormats[oneOf(formats, format, 'journal: --format')]
    const count = Number(limit ?? defaultLimit)
    if (!Number.isInteger(count) || count < 1 || count > maxLimit)
      throw new UsageError(`journal: --limit must be 1–${maxLimit}, got "${limit}".`)
    const since = timeOf(options['since'], 'journal: --since') ?? ''
    const until = timeOf(options['until'], 'journal: --until')
    const isWanted = journalFilter(options)
    const part = text?.toLowerCase()
    const matches: Matches = (line) =>
      isWanted(line) &&
      line.time >= since &&
      (until === undefined || line.time <= until) &&
      (part === undefined || JSON.stringify(line).toLowerCase().includes(part))
    return withJournal(context, 'journal', (journal) => {
      if (values['follow'] === true) return print(write(follow(journal, matches, count)))
      if (limit === undefined && format !== 'text')
        return print(write(allOf(journal.read(since), matches)))
      return print(write(newestOf(journal, { matches, since, until, limit: count })))
    })
  },
}

type Matches = (line: JournalLine) => boolean

const maxLimit = 100_000

async function print(texts: AsyncIterable<string>): Promise<number> {
  try {
    await pipeline(Readable.from(texts), process.stdout, { end: false })
  } catch (error) {
    // The reader, such as `head`, has enough.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
  return 0
}

async function* allOf(lines: Lines, matches: Matches): AsyncGenerator<JournalLine> {
  for await (const line of lines) if (matches(line)) yield line
}

async function* newestOf(
  journal: JournalReader,
  search: Parameters<JournalReader['search']>[0],
): AsyncGenerator<JournalLine> {
  const { lines, next } = await journal.search(search)
  yield* lines.reverse()
  if (next !== undefined)
    process.stderr.write(
      `These are the newest ${lines.length}; ${search.limit < maxLimit ? 'raise --limit' : 'pass --until'} for older ones.\n`,
    )
}

/** Never ends by itself. */
async function* follow(
  journal: JournalReader,
  matches: Matches,
  count: number,
): AsyncGenerator<JournalLine> {
  const tail = journal.tail()
  for (let maxLines = count; ; maxLines = Number.POSITIVE_INFINITY) {
    let lines: JournalLine[] = []
    // Writers keep files of a later day only, so older ones do not grow.
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    await tail.readNew((line) => {
      if (matches(line)) lines.push(line)
      if (lines.length > 2 * maxLines) lines = newest(lines, maxLines)
    }, yesterday)
    yield* newest(lines, maxLines)
    await setTimeout(followMs)
  }
}

const newest = (lines: JournalLine[], count: number): JournalLine[] =>
  lines.sort((a, b) => (a.time < b.time ? -1 : 1)).slice(-count)

/** Calls that were begun, and whose outcome was not written, or as unknown. */
async function openEffectsOf(journal: JournalReader): Promise<number> {
  const [begun, settled, unknown] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for await (const { kind, effect, outcome } of journal.read())
    if (effect !== undefined) {
      const set = kind === 'begun' ? begun : outcome === 'unknown' ? unknown : settled
      set.add(effect)
    }
  for (const effect of unknown) begun.add(effect)
  for (const effect of settled) begun.delete(effect)
  return begun.size
}

async function verify(
  journal: JournalReader,
  { values, print, printJson }: CommandContext,
): Promise<number> {
  const report = await journal.verify()
  const { faults, lines, files, unchained, unrecorded, removed } = report
  if (values['json'] === true) printJson(report, 2)
  else {
    for (const fault of faults) print(fault)
    const old =
      unchained > 0 ? ` ${countOf(unchained, 'line')} of earlier versions cannot be checked.` : ''
    print(
      `${countOf(lines, 'line')} in ${countOf(files, 'file')}, ${countOf(faults.length, 'fault')}.${old}`,
    )
    const open = await openEffectsOf(journal)
    if (open > 0)
      print(
        `${countOf(open, 'call')} ${open === 1 ? 'was' : 'were'} sent and ${open === 1 ? 'has' : 'have'} no known outcome.`,
      )
    if (removed)
      print(`Retention has removed ${countOf(removed.days, 'day')}, last on ${removed.last}.`)
    if (unrecorded > 0)
      print(
        `${countOf(unrecorded, 'writer')} of earlier versions: there is no record of their first and last lines.`,
      )
  }
  return faults.length > 0 ? 1 : 0
}
