import { createHash } from 'node:crypto'
import { answers, capabilities, instructions, serverInfo } from './answers.mjs'
import { InputRequired, Rejection } from './refusal.mjs'

const key = (name) => `io.modelcontextprotocol/${name}`
const version = '2026-07-28'
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']
const cached = ['server/discover', 'tools/list', 'prompts/list', 'resources/list']
cached.push('resources/templates/list', 'resources/read')

const checksum = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** What was answered so far travels in the state; one that came back changed is refused. */
const seal = (known) => {
  const text = Buffer.from(JSON.stringify(known)).toString('base64url')
  return `${text}.${checksum(text)}`
}
const unseal = (state) => {
  const [text, sum] = state.split('.')
  if (checksum(text) !== sum) throw new Rejection(-32602, 'the request state was changed')
  return JSON.parse(Buffer.from(text, 'base64url').toString())
}

const needs = ({ method, params }) => {
  if (method === 'roots/list') return { roots: {} }
  if (method === 'sampling/createMessage') return { sampling: {} }
  return { elicitation: params.mode === 'url' ? { url: {} } : {} }
}

const offers = (has, wanted) =>
  Object.entries(wanted).every(([name, inner]) => has?.[name] && offers(has[name], inner))

/** Asks by ending the call; the client makes it again with the answers. */
function ask(params, capabilitiesOfClient) {
  const known = params.requestState === undefined ? {} : unseal(params.requestState)
  let round = 0
  return async (requests) => {
    const at = `round ${round++}`
    for (const wanted of Object.values(requests).map(needs)) {
      if (!offers(capabilitiesOfClient, wanted)) {
        const data = { requiredCapabilities: wanted }
        throw new Rejection(-32021, 'Missing required client capability', data, 400)
      }
    }
    if (known[at]) return known[at]
    const given = known.open === at ? (params.inputResponses ?? {}) : {}
    if (Object.keys(requests).every((name) => Object.hasOwn(given, name))) {
      known[at] = given
      return given
    }
    throw new InputRequired({
      resultType: 'input_required',
      inputRequests: requests,
      requestState: seal({ ...known, open: at }),
    })
  }
}

function checkEnvelope({ method, params }) {
  const meta = params?._meta ?? {}
  const claimed = meta[key('protocolVersion')]
  if (claimed === undefined && method !== 'initialize') {
    throw new Rejection(-32602, 'the request has no _meta envelope of 2026-07-28', undefined, 400)
  }
  if (claimed !== version) {
    const data = { supported: [version], requested: claimed ?? params?.protocolVersion ?? '' }
    throw new Rejection(-32022, 'Unsupported protocol version', data, 400)
  }
  if (typeof meta[key('clientCapabilities')] !== 'object') {
    throw new Rejection(-32602, `${key('clientCapabilities')} is missing`, undefined, 400)
  }
  return meta
}

/** Any number of clients of 2026: each request stands alone. */
export function modernPeer(world, log) {
  const running = new Map()

  function listen({ id, params }, send, signal) {
    const { resourceSubscriptions = [], ...filter } = params.notifications
    const stamp = (params) => ({ ...params, _meta: { [key('subscriptionId')]: id } })
    const wants = (uri) => resourceSubscriptions.includes(uri)
    const kind = (method) => `${method.split('/')[1]}ListChanged`
    const listener = {
      wants,
      hear({ method, params }) {
        if (params ? wants(params.uri) : filter[kind(method)]) {
          send({ jsonrpc: '2.0', method, params: stamp(params) })
        }
      },
    }
    const method = 'notifications/subscriptions/acknowledged'
    send({ jsonrpc: '2.0', method, params: stamp({ notifications: params.notifications }) })
    world.listeners.add(listener)
    return new Promise((resolve) =>
      signal.addEventListener('abort', () => {
        world.listeners.delete(listener)
        resolve()
      }),
    )
  }

  const discover = () => ({ supportedVersions: [version], capabilities, instructions })

  async function serve(message, send, signal, header) {
    const { method, params } = message
    const meta = checkEnvelope(message)
    if (method === 'subscriptions/listen') return listen(message, send, signal)
    const known = { ...answers, 'server/discover': discover }[method]
    if (known === undefined) {
      throw new Rejection(-32601, `Method not found: ${method}`, undefined, 404)
    }
    const note = (method, params) => send({ jsonrpc: '2.0', method, params })
    const result = await known(params, {
      era: 'modern',
      world,
      meta,
      header,
      signal,
      ask: ask(params, meta[key('clientCapabilities')]),
      log(level, data) {
        const wanted = levels.indexOf(meta[key('logLevel')])
        if (wanted < 0 || levels.indexOf(level) < wanted) return
        note('notifications/message', { level, logger: 'spy', data })
      },
      progress(step) {
        if (meta.progressToken === undefined) return
        note('notifications/progress', { progressToken: meta.progressToken, ...step })
      },
    })
    const cache = cached.includes(method) ? { ttlMs: 0, cacheScope: 'private' } : {}
    const _meta = { ...result._meta, [key('serverInfo')]: serverInfo }
    return { ...result, ...cache, _meta, resultType: 'complete' }
  }

  return {
    /** `closed` tells that the stream of this request's answer was let go of (HTTP). */
    async receive(message, send, closed, header) {
      const { id, method } = message
      if (id === undefined) {
        if (method === 'notifications/cancelled') running.get(message.params.requestId)?.abort()
        return
      }
      const stop = new AbortController()
      running.set(id, stop)
      closed?.addEventListener('abort', () => stop.abort())
      try {
        const result = await serve(message, send, stop.signal, header)
        if (!stop.signal.aborted) send({ jsonrpc: '2.0', id, result })
      } catch (thrown) {
        if (thrown instanceof InputRequired) send({ jsonrpc: '2.0', id, result: thrown.result })
        else if (!(thrown instanceof Rejection)) throw thrown
        else send({ jsonrpc: '2.0', id, error: thrown.error }, thrown.status)
      } finally {
        running.delete(id)
        if (stop.signal.aborted) log({ event: 'stopped', id })
      }
    },
    close() {},
  }
}
