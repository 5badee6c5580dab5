import { type JSONRPCMessage, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { isJsonObject } from '#servers/protocol/message'
import { asAnswer, asAnswerTo, failure, isResponse } from './as-answer.ts'
import { eventsIn, type StreamEvent } from './event-stream.ts'

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>
type Id = string | number

/** Bytes of an answer. A message is in memory several times while it is parsed. */
const maxBytes = 64 * 1024 * 1024
/** Characters of what came instead of an answer. */
const maxShown = 100

/**
 * Lets the SDK read what servers answer: each response to a request has one valid answer, or an
 * error that says what came instead. The SDK would wait for the rest of the timeout.
 */
export const withAnswers =
  (send: Fetch): Fetch =>
  async (url, init) => {
    const response = await send(url, init)
    const { ok, status, body } = response
    const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
    const id = idOf(init)
    if (!ok) return refused(response, id)
    if (body !== null && type === 'text/event-stream')
      return { ...partsOf(response), body: ReadableStream.from(answered(body, id)) } as Response
    if (id === undefined) return response
    if (status === 202 || status === 204)
      return asJson(response, failure(id, `HTTP ${status} and without an answer`))
    return type === 'application/json' ? asJson(response, await answerIn(response, id)) : response
  }

/** The id of the request that is sent, if it is one that has an answer. */
function idOf(init: RequestInit | undefined): Id | undefined {
  if (init?.method !== 'POST' || typeof init.body !== 'string') return undefined
  const { id, method } = JSON.parse(init.body) as { id?: Id; method?: unknown }
  return method === undefined || method === 'subscriptions/listen' ? undefined : id
}

/** The SDK's error has the text of the response, and not its headers. */
async function refused(response: Response, id: Id | undefined): Promise<Response> {
  const retryAfter = response.headers.get('retry-after')
  const { status, statusText } = response
  // The SDK acts upon the others itself.
  const isFinal = status >= 400 && ![400, 401, 403].includes(status)
  if (id === undefined || retryAfter === null || !isFinal) return response
  const text = await textIn(response)
  const data = { status, statusText, text, retryAfter }
  throw new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, postError(text), data)
}

/** In the words of the SDK. */
const postError = (text: string): string => `Error POSTing to endpoint: ${text}`

/** Servers of 2025-03-26 may answer with a batch. */
async function answerIn(response: Response, id: Id): Promise<JSONRPCMessage | unknown[]> {
  const text = await textIn(response)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return failure(id, `${beginning(text)} instead of JSON`)
  }
  if (!Array.isArray(json) || json.length === 0) return asAnswerTo(id, json)
  const hit = json.find(
    (message) => isJsonObject(message) && isResponse(message) && isAnswerTo(id, message['id']),
  )
  return json.filter((message) => message !== hit).concat(asAnswerTo(id, hit ?? json[0]))
}

const isAnswerTo = (id: Id, answerId: unknown): boolean => String(answerId) === String(id)

async function textIn({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.length
    if (bytes > maxBytes) throw new Error(`it sent a message of more than ${maxBytes} bytes`)
    parts.push(part)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}

/** The events of a stream. If none of them answers the request `id`, one that says so is added. */
async function* answered(
  body: ReadableStream<Uint8Array>,
  id: Id | undefined,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  let begun = ''
  async function* noted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      if (begun.length <= maxShown) begun += decoder.decode(chunk.subarray(0, 4 * maxShown))
      yield chunk
    }
  }
  let isSettled = id === undefined
  for await (const event of eventsIn(noted())) {
    // The SDK resumes the stream.
    if (event.id) isSettled = true
    const isMessage = event.name === undefined || event.name === 'message'
    const answer = isMessage ? answerOf(event.data, id) : undefined
    if (answer !== undefined && isAnswerTo(id ?? '', (answer as { id: unknown }).id))
      isSettled = true
    yield encoder.encode(textOf(answer ? { ...event, data: JSON.stringify(answer) } : event))
  }
  if (isSettled || id === undefined) return
  const what = begun === '' ? 'an empty event stream' : 'an event stream without an answer'
  const how = begun === '' ? '' : ` that begins with ${beginning(begun)}`
  yield encoder.encode(textOf({ data: JSON.stringify(failure(id, `${what}${how}`)) }))
}

/** The answer in an event, if it is one. An error without an id belongs to the request. */
function answerOf(data: string | undefined, id: Id | undefined): JSONRPCMessage | undefined {
  let json: unknown
  try {
    json = JSON.parse(data ?? '')
  } catch {
    return undefined
  }
  if (!isJsonObject(json) || !isResponse(json)) return undefined
  const isOwn = id !== undefined && isAnswerTo(id, json['id'] ?? id)
  return isOwn ? asAnswerTo(id, json) : asAnswer(json as unknown as JSONRPCMessage)
}

const textOf = ({ name, id, retry, data }: StreamEvent): string =>
  [
    ...(name === undefined ? [] : [`event: ${name}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...(data === undefined ? [] : data.split('\n').map((line) => `data: ${line}`)),
    '\n',
  ].join('\n')

const beginning = (text: string): string =>
  JSON.stringify(text.length > maxShown ? `${text.slice(0, maxShown)}…` : text)

function asJson(response: Response, answer: unknown): Response {
  const headers = new Headers(response.headers)
  headers.set('content-type', 'application/json')
  return { ...partsOf(response), status: 200, headers, json: async () => answer } as Response
}

/** What the SDK reads of a response. */
const partsOf = ({ ok, status, statusText, headers, url, redirected }: Response) => ({
  ok,
  status,
  statusText,
  url,
  redirected,
  headers,
  text: async () => '',
})
