import {
  type JournalLine,
  modes,
  type Usage,
  type UsageGroup,
  type UsageReport,
  usageGroups,
  usageOf,
} from '@pith-mcp/aggregator'
import { countOf } from '@pith-mcp/base/count-of'
import { csvCell } from '@pith-mcp/base/csv-cell'
import { timeOf } from '../since.ts'
import { type Command, type CommandContext, oneOf } from './command.ts'
import { withAggregator } from './with-aggregator.ts'
import { withJournal } from './with-journal.ts'

export const command: Command = {
  usage: `aggregator-mcp stats [--by ${usageGroups.join('|')}] [--since 7d|24h|2026-11-01]
    [--until TIME] [--json | --csv]
aggregator-mcp stats --lists

Report calls, errors, latency and tokens from the journal. Tokens are estimates; saved are those of
results and lists that were not sent. --lists prints the cost of the tool list in each mode, and
starts servers whose tools are unknown.`,
  options: {
    by: { type: 'string' },
    since: { type: 'string' },
    until: { type: 'string' },
    json: { type: 'boolean' },
    csv: { type: 'boolean' },
    lists: { type: 'boolean' },
  },
  async run(context) {
    const { values, print } = context
    if (values['lists'] === true) return printLists(context)
    const by = oneOf(usageGroups, String(values['by'] ?? 'server'), 'stats: --by')
    const since = timeOf(values['since'] as string | undefined, 'stats: --since') ?? ''
    const until = timeOf(values['until'] as string | undefined, 'stats: --until')
    return withJournal(context, 'stats', async (journal) => {
      const report = await (until === undefined
        ? journal.usage(by, since)
        : usageOf(linesUntil(until, journal.read(since)), by))
      if (values['json'] === true) context.printJson(report, 2)
      else if (values['csv'] === true)
        for (const { name, usage } of [{ name: by, usage: undefined }, ...report.groups])
          print(
            [name, ...columns.map(([head, of]) => (usage ? of(usage) : head))].map(csvCell).join(),
          )
      else for (const line of table(report, by)) print(line)
      return 0
    })
  },
}

async function* linesUntil(until: string, lines: AsyncIterable<JournalLine>) {
  for await (const line of lines) if (line.time <= until) yield line
}

const columns: readonly [string, (usage: Usage) => number][] = [
  ['calls', ({ calls }) => calls],
  ['errors', ({ errors }) => errors],
  ['refused', ({ refused }) => refused],
  ['p50 ms', ({ p50 }) => p50],
  ['p95 ms', ({ p95 }) => p95],
  ['tokens in', ({ tokensIn }) => tokensIn],
  ['tokens out', ({ tokensOut }) => tokensOut],
  ['tokens saved', ({ tokensSaved }) => tokensSaved],
]

function table({ total, groups, from, to }: UsageReport, by: UsageGroup): string[] {
  if (from === undefined) return ['No calls in this period.']
  const rows = [...groups, { name: 'total', usage: total }].map(({ name, usage }) => ({
    name: name.replace(/\p{C}/gu, '?'),
    usage,
  }))
  const width = Math.max(...rows.map(({ name }) => name.length), by.length)
  return [
    `${from} to ${to}`,
    [by.padEnd(width), ...columns.map(([head]) => head.padStart(12))].join(' '),
    ...rows.map(({ name, usage }) =>
      [name.padEnd(width), ...columns.map(([, of]) => String(of(usage)).padStart(12))].join(' '),
    ),
  ]
}

async function printLists(context: CommandContext): Promise<number> {
  return withAggregator(context, async ({ aggregator }) => {
    const { receipt, silent } = await aggregator.receipt()
    const { servers, tools, listTokens } = receipt
    const { print } = context
    print(
      `${countOf(servers, 'server')}, ${countOf(tools, 'tool')}. Estimated cost of the tool list:`,
    )
    for (const mode of modes) {
      const tokens = listTokens[mode]
      const difference = mode === 'full' ? ', without Pith' : share(tokens, listTokens.full)
      print(`  ${mode.padEnd(4)}  ${tokens} tokens${difference}`)
    }
    if (listTokens.full < evenTokens)
      print('So few cost less over a session with --mode full: finding a tool is a request too.')
    if (silent.length > 0) print(`Not counted, because they did not answer: ${silent.join(', ')}.`)
    return 0
  })
}

/** Tokens of definitions at which a session costs the same: `bench/aggregator/sessions.mjs`. */
const evenTokens = 11_000

function share(tokens: number, full: number): string {
  // With few tools, our own cost more than they do: a percentage would say nothing.
  if (full < 100) return ''
  const percent = Math.round((tokens / full - 1) * 100)
  return percent > 0 ? `, ${percent} % more` : `, ${-percent} % less`
}
