import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import type { StdioServer } from '../../config/server-config.ts'
import { parseMessage } from '../../protocol/message.ts'
import { readLines } from '../../protocol/read-lines.ts'
import { type ServerProcess, startProcess } from '../process/start-process.ts'
import type { Launch } from '../sandbox/port/launch.ts'
import { asAnswer } from './as-answer.ts'
import { DirectRequests } from './direct-requests.ts'

export interface StdioTransport extends Transport {
  /**
   * The SDK recognizes a stdio transport by `pid` and `stderr` and negotiates in the same process.
   */
  readonly pid: number | null
  readonly stderr: null
  /** Why it was closed. */
  readonly reason: string | undefined
  /** Requests that bypass the SDK. */
  readonly direct: DirectRequests
}

/** A server as a child process in its own process group. */
export function createStdioTransport(
  server: StdioServer,
  onStderr: (text: string) => void,
): StdioTransport {
  let running: ServerProcess | undefined
  let reason: string | undefined
  let isClosed = false
  function closed(how: string): void {
    if (isClosed) return
    isClosed = true
    reason ??= how
    transport.onclose?.()
    transport.direct.end()
  }

  const send = (message: object): Promise<void> =>
    running === undefined
      ? Promise.reject(new Error('it is not running'))
      : running.write(`${JSON.stringify(message)}\n`)

  function receive(message: JSONRPCMessage): void {
    if (!transport.direct.settle(message)) transport.onmessage?.(message)
  }

  const transport: StdioTransport = {
    direct: new DirectRequests(send),
    stderr: null,
    get pid() {
      return running?.pid ?? null
    },
    get reason() {
      return reason
    },
    async start() {
      const started = await startProcess(await launchOf(server))
      running = started
      started.onStderr(onStderr)
      started.onData(
        readLines({
          onLine(line) {
            // Many servers print to their output; lines that are not messages are treated as
            // standard error.
            const message = parseMessage(line)
            if (message) receive(asAnswer(message))
            else onStderr(`${line}\n`)
          },
          onTooLong(bytes) {
            reason = `it sent a message of more than ${bytes} bytes`
            void started.stop()
          },
        }),
      )
      void started.ended.then(closed)
      // After its output is closed, the server gets no requests, and is stopped if it still runs.
      started.onOutputEnd(() => {
        const timer = setTimeout(() => {
          closed('it closed its output')
          void started.stop()
        }, outputGraceMs)
        void started.ended.then(() => clearTimeout(timer))
      })
    },
    send,
    async close() {
      await running?.stop()
    },
  }
  return transport
}

/** A process closes its output before it exits: wait this long for the exit code. */
const outputGraceMs = 500

async function launchOf(server: StdioServer): Promise<Launch> {
  const { command, args, env, cwd, sandbox } = server
  if (sandbox !== undefined) {
    const { inSandbox } = await import('../sandbox/in-sandbox.ts')
    return (await inSandbox({ ...server, sandbox })).launch
  }
  return { command, args, cwd, env: { ...getDefaultEnvironment(), ...env } }
}
