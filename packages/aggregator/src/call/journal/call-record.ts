import { hash, randomUUID } from 'node:crypto'
import { attempt } from '#base/attempt'
import type { Journal, JournalLine } from '#journal/journal'
import { withoutFence } from '#scan/server-text'
import { AggregatorError } from '#servers/protocol/aggregator-error'
import { type JsonObject, jsonOf } from '#servers/protocol/message'
import type { CallRecord, RequestContext } from '#servers/protocol/request-context'
import { safeName } from '#servers/protocol/server-account'
import type { RecentCalls } from './recent-calls.ts'

export interface RecordOptions {
  journal: Journal
  /** Replaces secrets: they must not be written to the journal. */
  redact: (text: string) => string
  recent?: RecentCalls | undefined
}

/**
 * Characters. Longer texts are estimated from their beginning and end: counting all takes longer
 * than most calls.
 */
const maxCountedLength = 2_000

/** The trace id, or 16 hexadecimal digits: `randomUUID` takes them from a pool. */
export const requestIdOf = (span: RequestContext['span']): string =>
  span?.traceId ?? randomUUID().slice(19).replace('-', '')

export function createRecord(
  { session, client, span }: Pick<RequestContext, 'session' | 'client' | 'span'>,
  called: { kind: JournalLine['kind']; tool: string; args?: unknown; target?: string },
  options: RecordOptions,
  via?: string,
  request: string = requestIdOf(span),
): CallRecord {
  const { journal, redact } = options
  const startedAt = new Date().toISOString()
  // A monotonic clock: changes of the system time must not affect durations.
  const startedMs = performance.now()
  const isOurs = called.kind === 'meta'
  let { kind, tool, args } = called
  let server: Parameters<CallRecord['calls']>[0]['server'] | undefined
  let result: JsonObject | undefined
  let approval: string | undefined
  let effect: string | undefined
  /** What is known before the call is sent. */
  const sentAs = () => ({
    time: startedAt,
    session: session.id.slice(0, 12),
    request,
    caller: session.access?.caller,
    profile: session.access?.profile,
    client,
    module: server?.name,
    account: server?.account,
    tool,
    via: via ?? (isOurs && kind === 'call' ? called.tool : undefined),
    effect,
    approval,
  })
  return {
    calls(target) {
      if (kind !== 'read') kind = 'call'
      ;({ server, tool, args } = target)
    },
    async begin(id) {
      effect = id
      await journal.write({ ...sentAs(), kind: 'begun', outcome: 'begun' })
    },
    approval(text) {
      approval = redact(text).slice(0, 300)
    },
    result(reply) {
      result = reply
    },
    inner: () =>
      createRecord(
        { session, client, span },
        { kind: 'call', tool: '' },
        options,
        called.tool,
        request,
      ),
    async end({ sent, failure }) {
      const { target: rawTarget } = called
      const target = rawTarget === undefined ? undefined : shownTarget(rawTarget, redact)
      const sizes = await sizesOf(args, result, sent)
      if (server !== undefined && kind === 'call') {
        const { caller, profile } = session.access ?? {}
        options.recent?.note(
          { time: startedAt, server, tool, args, caller, profile },
          sizes.argsBytes,
        )
      }
      await journal.write({
        ...sentAs(),
        kind,
        target,
        ...sizes,
        ms: Math.round(performance.now() - startedMs),
        ...outcomeOf(failure, result ?? sent, (text) =>
          redact(rawTarget && target ? text.replaceAll(rawTarget, target) : text),
        ),
      })
      return sizes.sentTokens ?? 0
    },
  }
}

/** What the journal says of a call until the server's tool is known. */
export const calledAs = (params: JsonObject): { kind: 'meta'; tool: string; args: unknown } => ({
  kind: 'meta',
  tool: safeName(String(params['name'])),
  args: params['arguments'],
})

async function sizesOf(
  args: unknown,
  result: JsonObject | undefined,
  sent: JsonObject | undefined,
) {
  const argsText = textOf(args ?? {}) ?? ''
  const resultText = result && textOf(result, jsonOf)
  const sentText = sent && textOf(sent, jsonOf)
  const tokensOf = await tokenCounter()
  const tokensIn = (text: string | undefined) => (text === undefined ? text : tokensOf(text))
  const resultTokens = tokensIn(resultText)
  return {
    argsHash: hash('sha256', argsText).slice(0, 16),
    argsBytes: Buffer.byteLength(argsText),
    argsTokens: tokensOf(argsText),
    resultBytes: resultText === undefined ? undefined : Buffer.byteLength(resultText),
    resultTokens,
    sentTokens: sentText === resultText ? resultTokens : tokensIn(sentText),
  }
}

/** A query may hold credentials or what a user typed. */
const shownTarget = (target: string, redact: (text: string) => string): string =>
  redact(target.replace(/[?#].*$/s, '?…').replace(/\/\/[^/@]*@/, '//…@')).slice(0, 300)

/** The code of a failure, or `failed`, and its message without quoted values. */
export function outcomeOf(
  failure: unknown,
  result: JsonObject | undefined,
  redact: (text: string) => string,
): Pick<JournalLine, 'outcome' | 'message'> {
  if (failure === undefined) return { outcome: result?.['isError'] === true ? 'tool_error' : 'ok' }
  const text = failure instanceof Error ? failure.message : String(failure)
  const message = redact(withoutQuoted(withoutFence(text))).slice(0, 300)
  if (failure instanceof AggregatorError) {
    // The remedy of a refusal names its setting.
    const isRefused = failure.setting !== undefined
    const whole = isRefused ? `${message} ${redact(failure.remedy)}`.slice(0, 300) : message
    return { outcome: failure.code, message: whole }
  }
  const { code, name } = failure as { code?: unknown; name?: unknown }
  if (typeof code === 'string' && /^[a-z_]{1,40}$/.test(code)) return { outcome: code, message }
  if (name === 'AbortError') return { outcome: 'cancelled' }
  return { outcome: typeof code === 'number' ? `rpc_${code}` : 'failed', message }
}

/** Undefined if the value is nested too deep; it is written without a size then. */
const textOf = <T>(value: T, write: (value: T) => string = JSON.stringify): string | undefined =>
  attempt(() => write(value), undefined)

/** Quoted values may be arguments, which are not written to the journal. */
const withoutQuoted = (text: string): string =>
  text.slice(0, 2_000).replace(/"(?:[^"\\]|\\.)*"?/g, '"…"')

let counter: Promise<(text: string) => number> | undefined

/** Loaded at the first call. */
function tokenCounter(): Promise<(text: string) => number> {
  counter ??= import('@pith-mcp/paginator').then(({ estimateTokens }) => (text) => {
    if (text.length <= maxCountedLength) return estimateTokens(text)
    const part = maxCountedLength / 2
    const counted = estimateTokens(text.slice(0, part)) + estimateTokens(text.slice(-part))
    return Math.round((counted / maxCountedLength) * text.length)
  })
  return counter
}
