import { hash } from 'node:crypto'
import { AggregatorError } from '../../protocol/aggregator-error.ts'
import type { CallRecord, Session } from '../../protocol/exchange.ts'
import type { Fields } from '../../protocol/message.ts'
import type { Journal, JournalLine } from './journal.ts'

export interface RecordOptions {
  journal: Journal
  /** Nothing secret is written. */
  hide: (text: string) => string
}

/** Longer texts are judged by their beginning and end: counting takes longer than most calls. */
const longestCounted = 2_000

export function createRecord(
  session: Session,
  called: { kind: JournalLine['kind']; tool: string; args?: unknown },
  options: RecordOptions,
  via?: string,
): CallRecord {
  const { journal, hide } = options
  const startedAt = new Date().toISOString()
  // Whoever sets the clock changes no durations.
  const startedMs = performance.now()
  const isOurs = called.kind === 'meta'
  let { kind, tool, args } = called
  let server: Parameters<CallRecord['calls']>[0]['server'] | undefined
  let result: Fields | undefined
  return {
    calls(target) {
      kind = 'call'
      ;({ server, tool, args } = target)
    },
    got(given) {
      result = given
    },
    inner: () => createRecord(session, { kind: 'call', tool: '' }, options, called.tool),
    async end({ sent, failure }) {
      const argsText = textOf(args ?? {}) ?? ''
      const resultText = result && textOf(result)
      const sentText = sent && (sent === result ? resultText : textOf(sent))
      const tokensOf = await tokenCounter()
      const resultTokens = resultText === undefined ? undefined : tokensOf(resultText)
      const sentTokens =
        sentText === undefined
          ? undefined
          : sentText === resultText
            ? resultTokens
            : tokensOf(sentText)
      journal.write({
        time: startedAt,
        kind,
        session: session.id.slice(0, 12),
        caller: session.access?.caller,
        profile: session.access?.profile,
        module: server?.name,
        account: server?.account,
        tool,
        via: via ?? (isOurs && kind === 'call' ? called.tool : undefined),
        argsHash: hash('sha256', argsText).slice(0, 16),
        argsBytes: Buffer.byteLength(argsText),
        argsTokens: tokensOf(argsText),
        resultBytes: resultText === undefined ? undefined : Buffer.byteLength(resultText),
        resultTokens,
        sentTokens,
        ms: Math.round(performance.now() - startedMs),
        ...outcomeOf(failure, result ?? sent, hide),
      })
      return sentTokens ?? 0
    },
  }
}

function outcomeOf(
  failure: unknown,
  result: Fields | undefined,
  hide: (text: string) => string,
): Pick<JournalLine, 'outcome' | 'said'> {
  if (failure === undefined) return { outcome: result?.['isError'] === true ? 'tool_error' : 'ok' }
  const message = failure instanceof Error ? failure.message : String(failure)
  const said = hide(withoutQuoted(message)).slice(0, 300)
  if (failure instanceof AggregatorError) return { outcome: failure.code, said }
  const { code, name } = failure as { code?: unknown; name?: unknown }
  if (name === 'AbortError') return { outcome: 'cancelled' }
  return { outcome: typeof code === 'number' ? `rpc_${code}` : 'failed', said }
}

/** What is nested too deep has no size, and is written down without. */
function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** What is quoted in an error may have been an argument, which are not written down. */
const withoutQuoted = (text: string): string =>
  text.slice(0, 2_000).replace(/"(?:[^"\\]|\\.)*"?/g, '"…"')

let counter: Promise<(text: string) => number> | undefined

/** Loaded with the first call. */
function tokenCounter(): Promise<(text: string) => number> {
  counter ??= import('@pith-mcp/paginator').then(({ estimateTokens }) => (text) => {
    if (text.length <= longestCounted) return estimateTokens(text)
    const part = longestCounted / 2
    const counted = estimateTokens(text.slice(0, part)) + estimateTokens(text.slice(-part))
    return Math.round((counted / longestCounted) * text.length)
  })
  return counter
}
