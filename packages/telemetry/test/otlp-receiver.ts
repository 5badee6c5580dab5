import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

interface Value {
  stringValue?: string
}

export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  /** 2 of a server, 3 of a client. */
  kind: number
  status: { code?: number; message?: string }
  attributes: Record<string, string | undefined>
}

interface Body {
  resourceSpans: {
    resource: { attributes: { key: string; value: Value }[] }
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'attributes'> & {
        attributes: { key: string; value: Value }[]
      })[]
    }[]
  }[]
}

/** Takes traces by OTLP over HTTP, as a collector does. */
export async function startReceiver() {
  const requests: { url: string; headers: NodeJS.Dict<string | string[]>; body: Buffer }[] = []
  let status = 200
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    if (status === 200) requests.push({ url: request.url ?? '', headers: request.headers, body })
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bodies = () => requests.map(({ body }) => JSON.parse(body.toString('utf8')) as Body)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    refuse(by: number) {
      status = by
    },
    /** All that was sent, as text. */
    text: () => requests.map(({ body }) => body.toString('latin1')).join('\n'),
    spans: (): ReceivedSpan[] =>
      bodies().flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) =>
            spans.map((span) => ({ ...span, attributes: valuesOf(span.attributes) })),
          ),
        ),
      ),
    resource: () => valuesOf(bodies()[0]?.resourceSpans[0]?.resource.attributes ?? []),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const valuesOf = (attributes: readonly { key: string; value: Value }[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]))
