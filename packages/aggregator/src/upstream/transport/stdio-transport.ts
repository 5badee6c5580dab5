import type { Transport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio'
import type { StdioServer } from '../../config/server-config.ts'
import { parseMessage } from '../../protocol/parse-message.ts'
import { readLines } from '../../protocol/read-lines.ts'
import { type ServerProcess, startProcess } from '../process/start-process.ts'
import type { Launch } from '../sandbox/port/launch.ts'
import { asAnswer } from './as-answer.ts'

export interface StdioTransport extends Transport {
  /** The SDK takes a transport with these two for one over stdio, and probes it in place. */
  readonly pid: number | null
  readonly stderr: null
  /** Why it is closed. */
  readonly reason: string | undefined
}

/** A server over the pipes of a process group of its own. */
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
  }

  const transport: StdioTransport = {
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
            // Servers that print to their output are many; what is no message is kept with their errors.
            const message = parseMessage(line)
            if (message) transport.onmessage?.(asAnswer(message))
            else onStderr(`${line}\n`)
          },
          onTooLong(bytes) {
            reason = `it sent a message of more than ${bytes} bytes`
            void started.stop()
          },
        }),
      )
      void started.ended.then(closed)
      // Who says nothing any more is asked nothing, and ended if it lives on.
      started.onOutputEnd(() => {
        const timer = setTimeout(() => {
          closed('it closed its output')
          void started.stop()
        }, outputGraceMs)
        void started.ended.then(() => clearTimeout(timer))
      })
    },
    send: (message) =>
      running === undefined
        ? Promise.reject(new Error('it is not running'))
        : running.write(`${JSON.stringify(message)}\n`),
    async close() {
      await running?.stop()
    },
  }
  return transport
}

/** A process that ends closes its output before that; then it says how it ended. */
const outputGraceMs = 500

async function launchOf(server: StdioServer): Promise<Launch> {
  const { command, args, env, cwd, sandbox } = server
  if (sandbox !== undefined) {
    const { inSandbox } = await import('../sandbox/in-sandbox.ts')
    return (await inSandbox({ ...server, sandbox })).launch
  }
  return { command, args, cwd, env: { ...getDefaultEnvironment(), ...env } }
}
