import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { serveStdio as serveBySdk } from '@modelcontextprotocol/server/stdio'
import type { Access } from '#servers/protocol/request-context'
import { withResolvers } from '#servers/protocol/with-resolvers'
import type { Aggregator } from './aggregator-options.ts'
import { isId } from './plain-request.ts'
import { sessionOf } from './session-of.ts'
import { createStdioFront } from './stdio-front.ts'
import { createStdioRequests, type StdioRequests } from './stdio-requests.ts'
import {
  createSubscriptionStreams,
  hasSubscriptionStream,
  type Incoming,
  type Listening,
} from './subscription-streams.ts'
import { resourcesAsTasks } from './task-streams.ts'

/** An aggregator that serves one client over stdio. */
export interface StdioEndpoint {
  close(): Promise<void>
}

interface StdioOptions {
  /** Usually `process.stdin` and `process.stdout`. */
  input: Readable
  output: Writable
  /** What the client may see and do. Default: everything. */
  access?: Access | undefined
  onError?: (error: unknown) => void
  /** The client has disconnected. */
  onClose?: () => void
}

/** Serves one client of either era. */
export function serveStdio(aggregator: Aggregator, options: StdioOptions): StdioEndpoint {
  let listening: Listening | undefined
  let requests: StdioRequests | undefined
  const front = createStdioFront(options.input, options.output)
  const transport = observed(
    front,
    () => listening,
    () => requests,
  )
  const handle = serveBySdk(
    ({ era }) => {
      const server = aggregator.createServer({
        era: era === 'modern' ? 'modern' : 'legacy',
        access: options.access,
      })
      if (era === 'modern')
        listening = createSubscriptionStreams(sessionOf(server), aggregator.deps)
      requests = createStdioRequests(aggregator, {
        session: sessionOf(server),
        isInitialized: () => era === 'modern' || server.getClientCapabilities() !== undefined,
        send: front.sendText,
      })
      return server
    },
    {
      transport,
      ...(options.onError && { onerror: options.onError }),
    },
  )
  const sdkOnClose = transport.onclose
  transport.onclose = () => {
    requests?.close()
    sdkOnClose?.()
    options.onClose?.()
  }
  return handle
}

/** Of a request of ours, whose answer the client does not get. */
const openingId = 'io.github.pith-mcp/opening'

const metaOf = ({ params }: Incoming) => ({ _meta: params?.['_meta'] })

/** Answers what bypasses the SDK, and delays requests for streams until subscriptions are made. */
function observed(
  transport: Transport,
  listening: () => Listening | undefined,
  requests: () => StdioRequests | undefined,
): Transport {
  let deliver: Transport['onmessage']
  const opened = withResolvers<void>()
  let isOpening = false
  /** Subscriptions are made by the server, which the SDK creates for the first message. */
  async function open(incoming: Incoming): Promise<Incoming> {
    if (listening() === undefined) {
      const first = { jsonrpc: '2.0', id: openingId, method: 'ping', params: metaOf(incoming) }
      if (!isOpening) deliver?.(first as JSONRPCMessage)
      isOpening = true
      await opened.promise
    }
    return (await listening()?.open(incoming)) ?? incoming
  }
  const receive = (message: JSONRPCMessage): void => {
    if (requests()?.receive(message)) return
    const incoming = message as Incoming
    if (hasSubscriptionStream(incoming))
      void open(incoming).then((request) => deliver?.(request as JSONRPCMessage))
    else {
      const { requestId } = incoming.params ?? {}
      if (incoming.method === 'notifications/cancelled' && isId(requestId))
        listening()?.close(requestId)
      deliver?.(message)
    }
  }
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    if (!('id' in message) || message.id !== openingId)
      return send(resourcesAsTasks(message), options)
    opened.resolve()
  }
  return Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => receive,
    set(handler: Transport['onmessage']) {
      deliver = handler
    },
  })
}
