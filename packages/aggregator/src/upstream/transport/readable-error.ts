import { ProtocolError, SdkError, SdkHttpError } from '@modelcontextprotocol/client'
import { fenced } from '../../scan/server-text.ts'
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
export function readableError(error: unknown): Error {
  return new Error(reasonOf(error), { cause: error })
}

function reasonOf(error: unknown): string {
  if (error instanceof SdkHttpError && error.status !== undefined) return httpReason(error)
  if (error instanceof ProtocolError) return `it answered with an error: ${fenced(error.message)}`
  const causes = causesOf(error)
  const isNetwork = causes.some(({ message }) => message === 'fetch failed')
  if (!isNetwork && !(error instanceof SdkError)) return messageOf(error)
  if (causes.some(({ name }) => name === 'SyntaxError')) return 'it answered with invalid JSON'
  const contentType = /Unexpected content type: ([^)]*)/.exec(messageOf(error))?.[1]
  if (contentType !== undefined)
    return `it answered with ${contentType || 'no content type'} instead of JSON or an event stream`
  const code = causes
    .slice(1)
    .map((cause) => cause.code)
    .findLast((one) => typeof one === 'string')
  const last = messageOf(causes.at(-1))
  if (code === undefined && last === 'bad port') return 'the port in its url is not allowed'
  if (code !== undefined)
    return `${reasons[code] ?? (isNetwork ? 'the connection failed' : plainMessage(error))} (${code})`
  const plain = plainMessage(error)
  return causes.length < 2 || last === plain || plain.includes(last) ? plain : `${plain} (${last})`
}

function httpReason(error: SdkHttpError): string {
  const { status = 0 } = error
  const text = /^Error POSTing to endpoint(?: \(HTTP \d+\))?: (.*)/s
    .exec(error.message)?.[1]
    ?.trim()
  const known = statusReasons[status]
  if (known !== undefined) return `${known} (HTTP ${status})`
  return `it answered with HTTP ${status}${text ? `: ${fenced(text)}` : ''}`
}

const plainMessage = (error: unknown): string =>
  messageOf(error).replace(/^Version negotiation (?:probe )?failed: /, '')

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
