import type { Readable, Writable } from 'node:stream'
import type { Transport } from '@modelcontextprotocol/server'
import { readLines } from '#base/read-lines'
import { writeTogether } from '#base/write-together'
import { messageText, parseMessage } from '#servers/protocol/message'

/**
 * A transport for an input and an output. The SDK's own one validates each message by a schema
 * first, which takes quadratic time for long messages.
 */
export function createStdioFront(
  input: Readable,
  output: Writable,
): Transport & {
  /** Sends a message that is JSON already, unless the client has disconnected. */
  sendText(text: string): void
} {
  let isClosed = false
  let drained: Promise<void> | undefined
  const done = Promise.resolve()
  const write = writeTogether(output)
  const onData = readLines({
    onLine(line) {
      const message = parseMessage(line)
      if (message) transport.onmessage?.(message)
      else
        transport.onerror?.(
          new Error(`The client sent a line that is not a message: ${line.slice(0, 100)}`),
        )
    },
    onTooLong: (bytes) => {
      transport.onerror?.(new Error(`The client sent a message of more than ${bytes} bytes.`))
      void transport.close()
    },
  })
  const onEnd = (): void => void transport.close()
  const transport: ReturnType<typeof createStdioFront> = {
    sendText(text) {
      if (!isClosed) write(`${text}\n`)
    },
    async start() {
      input.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onEnd)
      output.on('error', onEnd)
    },
    send(message) {
      if (isClosed) return Promise.reject(new Error('The client has disconnected.'))
      if (write(`${messageText(message)}\n`)) return done
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
