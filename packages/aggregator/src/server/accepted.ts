/** What a client can read: RFC 9110, section 12.5.1. */
export interface Accepted {
  json: boolean
  stream: boolean
}

export const json = 'application/json'
export const eventStream = 'text/event-stream'

/** Without a header, everything is accepted. */
export function acceptedIn(header: string | null | undefined): Accepted {
  if (!header?.trim()) return { json: true, stream: true }
  const ranges = new Map(header.toLowerCase().split(',').map(rangeOf))
  const accepts = (type: string): boolean => {
    // The most specific range decides.
    const names = [type, `${type.split('/', 1)[0]}/*`, '*/*']
    const quality = names.map((name) => ranges.get(name)).find((weight) => weight !== undefined)
    return quality !== undefined && quality > 0
  }
  return { json: accepts(json), stream: accepts(eventStream) }
}

/** A media range with its weight, 1 if it has none. Other parameters are not of these types. */
function rangeOf(text: string): [range: string, quality: number] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim())
  const weight = parameters.map((part) => /^q\s*=\s*([\d.]+)$/.exec(part)?.[1]).find(Boolean)
  return [range, weight === undefined ? 1 : Number(weight)]
}

/** The request as the SDK serves it. A body that has been read is passed next to it. */
export function acceptingBoth(request: Request): Request {
  const { url, method, signal } = request
  const headers = new Headers(request.headers)
  headers.set('accept', `${json}, ${eventStream}`)
  return request.bodyUsed
    ? new Request(url, { method, headers, signal })
    : new Request(request, { headers })
}

/** The response in the form that the client accepts. */
export async function asAccepted(response: Response, accepted: Accepted): Promise<Response> {
  const type = response.headers.get('content-type') ?? ''
  if (!accepted.json && response.ok && type.startsWith(json))
    return withText(response, eventStream, `event: message\ndata: ${await response.text()}\n\n`)
  if (!accepted.stream && type.startsWith(eventStream))
    return withText(response, json, answersIn(await response.text()))
  return response
}

/** The answers in a stream that has ended; a client without streams gets nothing else. */
function answersIn(text: string): string {
  const data = text.split('\n').flatMap((line) => /^data: ?(\{.*)$/.exec(line)?.[1] ?? [])
  const answers = data.filter((message) => !('method' in JSON.parse(message)))
  return answers.length === 1 ? (answers[0] ?? '') : `[${answers}]`
}

function withText({ status, headers: original }: Response, type: string, text: string): Response {
  const headers = new Headers(original)
  headers.set('content-type', type)
  headers.delete('content-length')
  return new Response(text, { status, headers })
}
