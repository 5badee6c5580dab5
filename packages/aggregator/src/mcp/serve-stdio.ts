import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio as serveBySdk } from '@modelcontextprotocol/server/stdio'
import type { Aggregator } from '../aggregator.ts'
import { createListening, type Incoming, isListening, type Listening } from './listening.ts'
import { sessionOf } from './session-of.ts'

export interface StdioServing {
  close(): Promise<void>
}

/** A message may hold a file. */
const mostBytes = 64 * 1024 * 1024

/** Serve one client of either era over this process's input and output. */
export function serveStdio(
  aggregator: Aggregator,
  options: { onError?: (error: unknown) => void; onClose?: () => void } = {},
): StdioServing {
  let listening: Listening | undefined
  const transport = observed(
    new StdioServerTransport(undefined, undefined, { maxBufferSize: mostBytes }),
    () => listening,
  )
  const handle = serveBySdk(
    ({ era }) => {
      const server = aggregator.createServer({ era: era === 'modern' ? 'modern' : 'legacy' })
      if (era === 'modern') listening = createListening(sessionOf(server), aggregator.gateway)
      return server
    },
    {
      transport,
      ...(options.onError && { onerror: options.onError }),
    },
  )
  const sdkOnClose = transport.onclose
  transport.onclose = () => {
    sdkOnClose?.()
    options.onClose?.()
  }
  return handle
}

/** Requests to listen are held until what they listen to is followed. */
function observed(transport: Transport, listening: () => Listening | undefined): Transport {
  let deliver: Transport['onmessage']
  const receive = (message: JSONRPCMessage): void => {
    const incoming = message as Incoming
    if (isListening(incoming))
      void (listening()?.open(incoming) ?? Promise.resolve()).then(() => deliver?.(message))
    else {
      const { requestId } = incoming.params ?? {}
      if (incoming.method === 'notifications/cancelled' && isId(requestId))
        listening()?.close(requestId)
      deliver?.(message)
    }
  }
  return Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => receive,
    set(handler: Transport['onmessage']) {
      deliver = handler
    },
  })
}

const isId = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'
