import { setTimeout as sleep } from 'node:timers/promises'
import { startSpan } from './stalled.ts'

const key = (name: string): string => `io.modelcontextprotocol/${name}`

/** What became of one call. Only `answered` has the result of the tool. */
export interface Outcome {
  key: string
  caller: string
  era: '2025' | '2026'
  kind: 'answered' | 'wrong' | 'refused' | 'failed' | 'broken' | 'late'
  /** The error, or the text of a wrong answer. */
  text: string
  startedAt: number
  endedAt: number
}

interface Caller {
  name: string
  /** The server that it calls. */
  module: string
  token: string
  url: string
  era: '2025' | '2026'
  /** Milliseconds that a request may take where nothing else wants the machine. */
  boundMs: number
}

interface Answer {
  status: number
  session: string | undefined
  text: string
  isResult: boolean
}

const pauseMs = 40
/** A request that hangs is given up, on any machine. */
const hangMs = 90_000
/** Every fifth call takes a while, so that faults meet calls that run. */
const slowMs = 250

/** A client that calls one time after the other, each with a key of its own. */
export interface ChaosClient {
  /** In their order; grows while it runs. */
  outcomes: readonly Outcome[]
  sessions: () => number
  ended: Promise<void>
}

export function startClient(caller: Caller, id: string, signal: AbortSignal): ChaosClient {
  const outcomes: Outcome[] = []
  let session: string | undefined
  let sessions = 0
  let ids = 0

  async function post(method: string, params: object): Promise<Answer> {
    const isNew = caller.era === '2026'
    const { name } = params as { name?: string }
    const span = startSpan()
    const response = await fetch(`${caller.url}/mcp`, {
      method: 'POST',
      signal: AbortSignal.timeout(hangMs),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${caller.token}`,
        'mcp-protocol-version': isNew ? '2026-07-28' : '2025-11-25',
        ...(isNew && { 'mcp-method': method, ...(name && { 'mcp-name': name }) }),
        ...(!isNew && session !== undefined && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        ...(!method.startsWith('notifications/') && { id: ++ids }),
        method,
        params: isNew ? { ...params, _meta: envelope } : params,
      }),
    })
    const body = await response.text()
    if (span.ms() > caller.boundMs)
      throw new DOMException(`took ${Math.round(span.ms())} ms`, 'TimeoutError')
    const lines = body.split('\n').flatMap((line) => /^data: (\{.*)$/.exec(line)?.[1] ?? [])
    const last = lines.at(-1) ?? (body.startsWith('{') ? body : '{}')
    const { result, error } = JSON.parse(last) as {
      result?: { content?: { text: string }[]; isError?: boolean }
      error?: { message: string }
    }
    return {
      status: response.status,
      session: response.headers.get('mcp-session-id') ?? undefined,
      text: result?.content?.[0]?.text ?? error?.message ?? `HTTP ${response.status}`,
      isResult: result !== undefined && result.isError !== true,
    }
  }

  async function open(): Promise<void> {
    session = undefined
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'chaos', version: '0' },
    }
    ;({ session } = await post('initialize', params))
    if (session !== undefined) await post('notifications/initialized', {})
    sessions++
  }

  async function call(key: string, ms: number): Promise<Pick<Outcome, 'kind' | 'text'>> {
    const args = { module: caller.module, tool_name: 'count', params: { key, ms } }
    let { status, text, isResult } = await post('tools/call', { name: 'call', arguments: args })
    // Nothing was done: the same call again, in a new session.
    for (let tries = 0; status === 404 && caller.era === '2025' && tries < 5; tries++) {
      await open()
      ;({ status, text, isResult } = await post('tools/call', { name: 'call', arguments: args }))
    }
    // The counter also says its number.
    if (isResult) return { kind: text.split(' ')[0] === key ? 'answered' : 'wrong', text }
    const isRefused = status === 404 || /Nothing was (?:done|called)/.test(text)
    return { kind: isRefused ? 'refused' : 'failed', text }
  }

  async function callOnAndOn(): Promise<void> {
    for (let number = 0; !signal.aborted; number++) {
      const { ms, key } = argumentsOf(`${caller.name}-${id}-${number}`)
      const startedAt = performance.now()
      const done = await (async () => {
        if (caller.era === '2025' && session === undefined) await open()
        return call(key, ms)
      })().catch((error: Error) => ({
        kind: error.name === 'TimeoutError' ? ('late' as const) : ('broken' as const),
        text: String((error.cause as Error | undefined)?.message ?? error.message),
      }))
      const { name, era } = caller
      outcomes.push({ key, caller: name, era, ...done, startedAt, endedAt: performance.now() })
      await sleep(pauseMs)
    }
  }

  return { outcomes, sessions: () => sessions, ended: callOnAndOn() }
}

/** The arguments of a call, by its key, which ends with a number. */
export const argumentsOf = (key: string): { key: string; ms: number } => ({
  key,
  ms: Number(key.split('-').at(-1)) % 5 === 0 ? slowMs : 0,
})

const envelope = {
  [key('protocolVersion')]: '2026-07-28',
  [key('clientInfo')]: { name: 'chaos', version: '0' },
  [key('clientCapabilities')]: {},
}
