import { answers, capabilities, instructions, serverInfo } from './answers.mjs'
import { Rejection } from './refusal.mjs'

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']
const supported = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** One connection of 2025: it is greeted by `initialize`, and may be asked in the middle of a call. */
export function legacyPeer(world, push, log) {
  const asked = new Map()
  const running = new Map()
  const subscribed = new Set()
  let questions = 0
  let lowest = 0

  const listener = {
    wants: (uri) => subscribed.has(uri),
    hear(change) {
      if (change.params === undefined || subscribed.has(change.params.uri)) {
        push({ jsonrpc: '2.0', ...change })
      }
    },
  }
  world.listeners.add(listener)

  const ask = (send) => async (requests) => {
    const entries = Object.entries(requests).map(async ([key, request]) => {
      const id = `spy-asks-${++questions}`
      const answer = new Promise((resolve) => asked.set(id, resolve))
      send({ jsonrpc: '2.0', id, ...request })
      const { result, error } = await answer
      if (error) throw new Rejection(error.code, `the client refused: ${error.message}`, error.data)
      return [key, result]
    })
    return Object.fromEntries(await Promise.all(entries))
  }

  const own = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion: supported.includes(protocolVersion) ? protocolVersion : supported[0],
      capabilities,
      serverInfo,
      instructions,
    }),
    ping: () => ({}),
    'logging/setLevel'({ level }) {
      lowest = levels.indexOf(level)
      return {}
    },
    'resources/subscribe'({ uri }) {
      subscribed.add(uri)
      return {}
    },
    'resources/unsubscribe'({ uri }) {
      subscribed.delete(uri)
      return {}
    },
  }

  async function serve({ id, method, params = {} }, send) {
    const known = { ...answers, ...own }[method]
    if (known === undefined) throw new Rejection(-32601, `Method not found: ${method}`)
    const { _meta: meta = {} } = params
    const stop = new AbortController()
    running.set(id, stop)
    const note = (method, params) => send({ jsonrpc: '2.0', method, params })
    const call = {
      era: 'legacy',
      world,
      meta,
      signal: stop.signal,
      ask: ask(send),
      log(level, data) {
        if (levels.indexOf(level) < lowest) return
        note('notifications/message', { level, logger: 'spy', data })
      },
      progress(step) {
        if (meta.progressToken === undefined) return
        note('notifications/progress', { progressToken: meta.progressToken, ...step })
      },
    }
    try {
      return await known(params, call)
    } finally {
      running.delete(id)
      if (stop.signal.aborted) log({ event: 'stopped', id })
    }
  }

  return {
    async receive(message, send) {
      if (message.method === undefined) {
        asked.get(message.id)?.(message)
        asked.delete(message.id)
      } else if (message.id === undefined) {
        if (message.method !== 'notifications/cancelled') return
        running.get(message.params.requestId)?.abort()
      } else {
        const { id } = message
        const answer = serve(message, send)
        const signal = running.get(id)?.signal
        try {
          const result = await answer
          // Nobody waits for the answer to a cancelled request; `end` lets go of its stream.
          send(signal?.aborted ? undefined : { jsonrpc: '2.0', id, result })
        } catch (thrown) {
          if (!(thrown instanceof Rejection)) throw thrown
          send({ jsonrpc: '2.0', id, error: thrown.error })
        }
      }
    },
    close: () => world.listeners.delete(listener),
  }
}
