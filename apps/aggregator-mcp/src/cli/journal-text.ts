import type { JournalLine } from '@pith-mcp/aggregator'

type Lines = AsyncIterable<JournalLine>

const columns =
  `time kind session caller profile module account tool via argsHash argsBytes argsTokens
  resultBytes resultTokens sentTokens ms outcome message reason count change`.split(
    /\s+/,
  ) as (keyof JournalLine)[]

/** Texts of the lines, with what precedes them. */
export const journalFormats = {
  async *text(lines: Lines) {
    for await (const line of lines) yield `${textOf(line)}\n`
  },
  async *jsonl(lines: Lines) {
    for await (const line of lines) yield `${JSON.stringify(line)}\n`
  },
  /** RFC 4180. */
  async *csv(lines: Lines) {
    yield `${columns.join(',')}\r\n`
    for await (const line of lines)
      yield `${columns.map((name) => cellOf(line[name])).join(',')}\r\n`
  },
} as const

function textOf(line: JournalLine): string {
  const { time, kind, module, account, tool, outcome, ms, sentTokens, caller, message } = line
  const unit = module && (account === undefined ? module : `${module}@${account}`)
  const parts = [
    time,
    kind,
    [unit, tool].filter(Boolean).join('.'),
    outcome,
    ms === undefined ? '' : `${ms} ms`,
    sentTokens === undefined ? '' : `${sentTokens} tokens`,
    caller === undefined ? '' : `by ${caller}`,
    message ?? '',
    line.change ?? '',
  ]
  return parts.filter(Boolean).join('  ').replace(/\p{C}/gu, '?')
}

/** Spreadsheets run text that begins like a formula; names and messages come from servers. */
function cellOf(value: unknown): string {
  const text = value === undefined ? '' : String(value)
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
