import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { fenced } from '#scan/server-text'
import { isJsonObject } from '#servers/protocol/message'
import { unusable } from './as-answer.ts'
import { causesOf } from './lost-connection.ts'

/** Reasons by the code of a network error; each continues `The server is down:`. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'its address refused the connection',
  ECONNRESET: 'it closed the connection',
  EAI_AGAIN: 'the name of its host cannot be resolved now',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  ENOTFOUND: 'the name of its host does not exist',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'it closed the connection',
}

const statusReasons: Readonly<Record<number, string>> = {
  401: 'it requires authorization',
  403: 'it denied access',
}

/** Replaces the words of the SDK and of fetch by a reason that names the cause and its code. */
export function readableError(error: unknown): Error & { retryMs: number | undefined } {
  const readable = new Error(reasonOf(error), { cause: error })
  return Object.assign(readable, { retryMs: retryAfterIn(error) })
}

function reasonOf(error: unknown): string {
  if (error instanceof SdkHttpError && error.status !== undefined) return httpReason(error)
  if (error instanceof ProtocolError) return answeredError(error)
  const causes = causesOf(error)
  const invalid = causes.find(
    (cause) => 'issues' in cause || cause.code === SdkErrorCode.InvalidResult,
  )
  if (invalid !== undefined) return `its answer is not valid MCP${memberIn(invalid)}`
  const isNetwork = causes.some(({ message }) => message === 'fetch failed')
  if (!isNetwork && !(error instanceof SdkError)) return messageOf(error)
  if (causes.some(({ name }) => name === 'SyntaxError')) return 'it answered with invalid JSON'
  const contentType = /Unexpected content type: ([^)]*)/.exec(messageOf(error))?.[1]
  if (contentType !== undefined)
    return `it answered with ${contentType || 'no content type'} instead of JSON or an event stream`
  const code = causes
    .slice(1)
    .map((cause) => cause.code)
    .findLast((value) => typeof value === 'string')
  const last = messageOf(causes.at(-1))
  if (code === undefined && last === 'bad port') return 'the port in its url is not allowed'
  if (code !== undefined)
    return `${reasons[code] ?? (isNetwork ? 'the connection failed' : plainMessage(error))} (${code})`
  const text = plainMessage(error)
  return causes.length < 2 || last === text || text.includes(last) ? text : `${text} (${last})`
}

function answeredError({ message }: ProtocolError): string {
  if (!message.startsWith(unusable)) return `it answered with an error: ${fenced(message)}`
  return `it answered with ${fenced(message.slice(unusable.length))}`
}

/** The first member that a check of a schema names; never its dump. */
function memberIn({ message }: Error): string {
  const path = /"path": \[([^\]]*)\]/.exec(message)?.[1]?.replace(/[\s"]/g, '')
  return path ? `: ${path.replaceAll(',', '.')} is missing or of a wrong type` : ''
}

/** Characters of the body of a response. */
const maxText = 300

function httpReason(error: SdkHttpError): string {
  const { status = 0 } = error
  const { text, retryAfter } = error.data as ErrorData
  const phrase = statusReasons[status]
  const reason =
    phrase === undefined
      ? `it answered with HTTP ${status}${detailIn(String(text ?? '').trim())}`
      : `${phrase} (HTTP ${status})`
  return retryAfterIn(error) === undefined ? reason : `${reason}; Retry-After: ${retryAfter}`
}

interface ErrorData {
  text?: unknown
  /** Seconds, or a date (RFC 9110, 10.2.3). */
  retryAfter?: string
}

/** A server that asks for more is asked again after this time. */
const maxRetryMs = 3_600_000

/** Milliseconds for which a server asks not to be asked again. */
function retryAfterIn(error: unknown): number | undefined {
  const { data } = causesOf(error).find((cause) => cause instanceof SdkHttpError) ?? {}
  const { retryAfter = '' } = Object(data) as ErrorData
  const ms = /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * 1_000
    : Date.parse(retryAfter) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxRetryMs)
}

/** The code and message of a JSON-RPC error, or the text; pages are for browsers. */
function detailIn(text: string): string {
  const { code, message } = errorIn(text)
  const of = typeof code === 'number' ? `, code ${code}` : ''
  const detail = typeof message === 'string' ? message : text
  if (detail === '' || detail.startsWith('<')) return of
  return `${of}: ${fenced(detail.length > maxText ? `${detail.slice(0, maxText)}…` : detail)}`
}

function errorIn(text: string): { code?: unknown; message?: unknown } {
  try {
    const { error } = JSON.parse(text) as { error?: unknown }
    return isJsonObject(error) ? error : {}
  } catch {
    return {}
  }
}

const plainMessage = (error: unknown): string =>
  messageOf(error).replace(/^Version negotiation (?:probe )?failed: /, '')

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
