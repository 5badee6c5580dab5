import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { DEFAULT_INHERITED_ENV_VARS } from '@modelcontextprotocol/client/stdio'
import { readLines } from '#base/read-lines'
import type { Launch } from '#sandbox/port/launch'
import type { StdioServer } from '#servers/config/server-config'
import type { ConnectOptions, Environment } from '#servers/connection/connection'
import { isJsonObject, parseMessage } from '#servers/protocol/message'
import { type ServerProcess, startProcess } from '../process/start-process.ts'
import { asAnswer } from './as-answer.ts'

export interface StdioTransport extends Transport {
  /**
   * The SDK recognizes a stdio transport by `pid` and `stderr` and negotiates in the same process.
   */
  readonly pid: number | null
  readonly stderr: null
  /** Why it was closed. */
  readonly reason: string | undefined
}

/** A server as a child process in its own process group. */
export function createStdioTransport(
  server: StdioServer,
  { onStderr, environment = process.env }: Pick<ConnectOptions, 'onStderr' | 'environment'>,
): StdioTransport {
  let running: ServerProcess | undefined
  let reason: string | undefined
  let isClosed = false
  function closed(how: string): void {
    if (isClosed) return
    isClosed = true
    reason ??= how
    // Its last words may have no line end.
    onStderr('\n')
    transport.onclose?.()
  }

  /** Ids of requests without an answer. */
  const openIds = new Set<unknown>()

  async function send(message: JSONRPCMessage): Promise<void> {
    if (running === undefined) throw new Error('it is not running')
    if ('method' in message && 'id' in message) openIds.add(message.id)
    await running.write(`${JSON.stringify(message)}\n`)
  }

  function receive(message: JSONRPCMessage): void {
    const answer = asAnswer(isUnnamedError(message) ? withOnlyId(message, openIds) : message)
    if (!('method' in answer)) openIds.delete(answer.id)
    transport.onmessage?.(answer)
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
      const started = await startProcess(await launchOf(server, environment))
      running = started
      started.onStderr(onStderr)
      started.onData(
        readLines({
          onLine(line) {
            // Many servers print to their output; lines that are not messages are treated as
            // standard error.
            const message = parseMessage(line)
            if (message) receive(message)
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

/** An error without an id, as for a request that could not be read. */
const isUnnamedError = (message: { id?: unknown; error?: unknown; method?: unknown }): boolean =>
  (message.id ?? null) === null && isJsonObject(message.error) && message.method === undefined

/** It answers the only request that waits. */
const withOnlyId = (message: JSONRPCMessage, openIds: ReadonlySet<unknown>): JSONRPCMessage =>
  openIds.size === 1 ? ({ ...message, id: [...openIds][0] } as JSONRPCMessage) : message

/** The variables that a server inherits, without functions of a shell. */
const inheritedOf = (environment: Environment): Record<string, string> =>
  Object.fromEntries(
    DEFAULT_INHERITED_ENV_VARS.flatMap((name) => {
      const value = environment[name]
      return value === undefined || value.startsWith('()') ? [] : [[name, value]]
    }),
  )

/** A process closes its output before it exits: wait this long for the exit code. */
const outputGraceMs = 500

async function launchOf(server: StdioServer, environment: Environment): Promise<Launch> {
  const { command, args, env, cwd, sandbox } = server
  if (sandbox !== undefined) {
    const { inSandbox } = await import('#sandbox/in-sandbox')
    return (await inSandbox({ ...server, sandbox })).launch
  }
  return { command, args, cwd, env: { ...inheritedOf(environment), ...env } }
}
