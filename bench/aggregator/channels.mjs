// Raw JSON-RPC over stdio, Streamable HTTP and the older HTTP+SSE, without an SDK, so that the
// client costs all contenders the same and little. A channel has exchange(message) -> response,
// tell(message), fail(error) for what waits, and close().
import { Agent, request } from 'node:http'

const clientOnly = { code: -32601, message: 'Not offered by this client' }
const answerTo = ({ id, method }) => ({
  jsonrpc: '2.0',
  id,
  ...(method === 'ping' ? { result: {} } : { error: clientOnly }),
})

/** Pairs responses with requests where they arrive on a stream of their own. */
function createPairing(send) {
  const waiting = new Map()
  return {
    receive(text) {
      const message = JSON.parse(text)
      if (message.method !== undefined) {
        if (message.id !== undefined) send(answerTo(message))
        return
      }
      waiting.get(message.id)?.resolve(message)
      waiting.delete(message.id)
    },
    exchange: (message) =>
      new Promise((resolve, reject) => {
        waiting.set(message.id, { resolve, reject })
        send(message)
      }),
    fail(error) {
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    },
  }
}

export function openStdio(child) {
  const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`)
  const pairing = createPairing(send)
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (data) => {
    const lines = (rest + data).split('\n')
    rest = lines.pop()
    for (const line of lines) if (line.startsWith('{')) pairing.receive(line)
  })
  child.stdin.on('error', pairing.fail)
  return { exchange: pairing.exchange, tell: send, fail: pairing.fail, close: () => undefined }
}

/** The data of the whole events in a text, and what is left of it. */
function eventsOf(text) {
  const blocks = text.replaceAll('\r\n', '\n').split('\n\n')
  const rest = blocks.pop()
  const field = (block, name) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).trimStart())
      .join('\n')
  return {
    rest,
    events: blocks.map((block) => ({ name: field(block, 'event'), data: field(block, 'data') })),
  }
}

function post(agent, url, message, headers) {
  const body = JSON.stringify(message)
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'content-length': Buffer.byteLength(body),
        ...headers,
      },
    })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (data) => {
        text += data
      })
      response.on('error', reject)
      response.on('end', () => resolve({ response, text }))
    })
    outgoing.end(body)
  })
}

export function openStreamable(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const session = {}
  function headersFor({ method, params = {} }) {
    const version = params._meta?.['io.modelcontextprotocol/protocolVersion']
    if (version === undefined) return session
    const name = params.name === undefined ? {} : { 'mcp-name': params.name }
    return { 'mcp-protocol-version': version, 'mcp-method': method, ...name }
  }
  async function send(message) {
    const { response, text } = await post(agent, url, message, headersFor(message))
    const id = response.headers['mcp-session-id']
    if (id !== undefined) Object.assign(session, { 'mcp-session-id': id })
    if (message.method === 'initialize')
      session['mcp-protocol-version'] = message.params.protocolVersion
    return { response, text }
  }
  return {
    async exchange(message) {
      const { response, text } = await send(message)
      if (!/event-stream/.test(response.headers['content-type'])) {
        if (text.startsWith('{')) return JSON.parse(text)
        throw new Error(`HTTP ${response.statusCode}: ${text.slice(0, 200)}`)
      }
      for (const { data } of eventsOf(`${text}\n\n`).events) {
        const answer = data === '' ? {} : JSON.parse(data)
        if (answer.id === message.id && answer.method === undefined) return answer
      }
      throw new Error(`No response among the events: ${text.slice(0, 200)}`)
    },
    tell: send,
    fail: () => agent.destroy(),
    close: () => agent.destroy(),
  }
}

/** Resolves once the server has said where to post. */
export function openSse(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  return new Promise((resolve, reject) => {
    let endpoint
    const send = async (message) => {
      try {
        const { response, text } = await post(agent, endpoint, message)
        if (response.statusCode >= 400)
          throw new Error(`HTTP ${response.statusCode}: ${text.slice(0, 200)}`)
      } catch (error) {
        pairing.fail(error)
      }
    }
    const pairing = createPairing(send)
    const stream = request(url, { headers: { accept: 'text/event-stream' } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`HTTP ${response.statusCode}`))
      let text = ''
      response.setEncoding('utf8').on('data', (data) => {
        const { rest, events } = eventsOf(text + data)
        text = rest
        for (const event of events)
          if (event.name === 'endpoint') {
            endpoint = new URL(event.data, url)
            resolve({ exchange: pairing.exchange, tell: send, fail: pairing.fail, close })
          } else if (event.data !== '') pairing.receive(event.data)
      })
      response.on('close', () => pairing.fail(new Error('The event stream ended')))
    })
    const close = () => {
      stream.destroy()
      agent.destroy()
    }
    stream.on('error', (error) => {
      reject(error)
      pairing.fail(error)
    })
    stream.end()
  })
}
