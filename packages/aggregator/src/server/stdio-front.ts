import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { parseMessage } from '../protocol/parse-message.ts'
import { readLines } from '../protocol/read-lines.ts'

/**
 * An input and an output as a transport. The SDK's checks each message by a schema before
 * the server does, and takes a time that grows with the square of a long one.
 */
export function createStdioFront(input: Readable, output: Writable): Transport {
  let isClosed = false
  let drained: Promise<void> | undefined
  const written = Promise.resolve()
  const onData = readLines({
    onLine(line) {
      const message = parseMessage(line)
      if (message) transport.onmessage?.(message)
      else transport.onerror?.(new Error(`no message: ${line.slice(0, 100)}`))
    },
    onTooLong: (bytes) => {
      transport.onerror?.(new Error(`a message of more than ${bytes} bytes`))
      void transport.close()
    },
  })
  const onEnd = (): void => void transport.close()
  const transport: Transport = {
    async start() {
      input.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onEnd)
      output.on('error', onEnd)
    },
    send(message) {
      if (isClosed) return Promise.reject(new Error('the client has gone'))
      if (output.write(`${textOf(message)}\n`)) return written
      drained ??= new Promise((resolve) => {
        output.once('drain', () => {
          drained = undefined
          resolve()
        })
      })
      return drained
    },
    async close() {
      if (isClosed) return
      isClosed = true
      input.off('data', onData).pause()
      transport.onclose?.()
    },
  }
  return transport
}

/** What cannot be written is answered all the same. */
function textOf(message: JSONRPCMessage): string {
  try {
    return JSON.stringify(message)
  } catch (error) {
    if (!('id' in message) || 'method' in message) throw error
    const said = `The answer cannot be written as JSON: ${(error as Error).message}`
    return JSON.stringify({
      jsonrpc: '2.0',
      id: message.id,
      error: { code: internalError, message: said },
    })
  }
}

const internalError = -32603
