import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { serveStdio as serveBySdk } from '@modelcontextprotocol/server/stdio'
import type { Access } from '../protocol/exchange.ts'
import type { Aggregator } from './aggregator.ts'
import { createListening, type Incoming, isListening, type Listening } from './listening.ts'
import { sessionOf } from './session-of.ts'
import { createStdioFront } from './stdio-front.ts'

export interface StdioServing {
  close(): Promise<void>
}

interface StdioOptions {
  /** Most often `process.stdin` and `process.stdout`. */
  input: Readable
  output: Writable
  /** What the client may see and do; without it all. */
  access?: Access | undefined
  onError?: (error: unknown) => void
  /** The client has gone. */
  onClose?: () => void
}

/** Serve one client of either era. */
export function serveStdio(aggregator: Aggregator, options: StdioOptions): StdioServing {
  let listening: Listening | undefined
  const transport = observed(createStdioFront(options.input, options.output), () => listening)
  const handle = serveBySdk(
    ({ era }) => {
      const server = aggregator.createServer({
        era: era === 'modern' ? 'modern' : 'legacy',
        access: options.access,
      })
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
