// A contender, started and ready to be called.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSse, openStdio, openStreamable } from './channels.mjs'
import { freePort, start, stop, wait } from './processes.mjs'

const legacy = '2025-11-25'
const clientInfo = { name: 'bench', version: '0' }

export class LimitError extends Error {}

function within(promise, milliseconds, what) {
  let timer
  const limit = new Promise((_, reject) => {
    const fail = () => reject(new LimitError(`${what}: nothing within ${milliseconds} ms`))
    timer = setTimeout(fail, milliseconds)
  })
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer))
}

function lastWords(home) {
  const log = join(home, 'stderr.log')
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').at(-1).slice(0, 200) : ''
}

async function openHttp({ kind, path }, port, failureOf) {
  const url = `http://127.0.0.1:${port}${path}`
  for (;;)
    try {
      if (kind === 'sse') return await openSse(url)
      const channel = openStreamable(url)
      // Any answer at all shows that it listens.
      await channel.exchange({ jsonrpc: '2.0', id: 0, method: 'ping' }).catch((error) => {
        if (error.code === 'ECONNREFUSED') throw error
      })
      return channel
    } catch {
      if (failureOf()) throw failureOf()
      await wait(10)
    }
}

/** Starts it over stdio if it can, else over HTTP; `limit` is for all that happens up to its first answer. */
export async function connect(contender, home, { over, limit = 60_000 } = {}) {
  const isHttp = (over ?? (contender.stdio ? 'stdio' : 'http')) === 'http'
  const port = isHttp ? await freePort() : undefined
  const started = performance.now()
  const child = isHttp
    ? start(contender.http(home, port), home, ['ignore', 'ignore'])
    : start(contender.stdio(home), home, ['pipe', 'pipe'])
  let channel
  let failure
  const end = () => {
    failure = new Error(`It ended: ${lastWords(home)}`)
    channel?.fail(failure)
  }
  child.once('exit', end)
  child.once('error', end)
  const client = {
    child,
    elapsed: () => performance.now() - started,
    hasEnded: () => failure !== undefined,
  }
  let id = 0
  const envelope =
    (contender.era ?? legacy) === legacy
      ? undefined
      : {
          'io.modelcontextprotocol/protocolVersion': contender.era,
          'io.modelcontextprotocol/clientCapabilities': {},
        }

  client.request = async (method, params = {}, milliseconds = 60_000) => {
    const wrapped = envelope ? { ...params, _meta: envelope } : params
    const message = { jsonrpc: '2.0', id: ++id, method, params: wrapped }
    if (failure) throw failure
    const answer = await within(channel.exchange(message), milliseconds, method)
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }
  client.call = async (server, tool, args, milliseconds) => {
    const params = contender.toCall(server, tool, args)
    const result = await client.request('tools/call', params, milliseconds)
    if (result.isError) throw new Error(result.content?.[0]?.text ?? 'An error without a text')
    return result
  }
  client.echo = async (message, milliseconds) => {
    const result = await client.call('everything', 'echo', { message }, milliseconds)
    if (!JSON.stringify(result.content).includes(message)) throw new Error('Not the echo')
  }
  client.list = async (milliseconds) => {
    const { tools, nextCursor } = await client.request('tools/list', {}, milliseconds)
    let cursor = nextCursor
    while (cursor !== undefined && cursor !== '') {
      const next = await client.request('tools/list', { cursor }, milliseconds)
      tools.push(...next.tools)
      cursor = next.nextCursor
    }
    return tools
  }
  client.close = async () => {
    channel?.close()
    await stop(child)
  }
  try {
    const opening = isHttp
      ? openHttp(contender.endpoint, port, () => failure)
      : Promise.resolve(openStdio(child))
    channel = await within(opening, limit, 'Listening')
    if (envelope) return client
    const hello = { protocolVersion: legacy, capabilities: {}, clientInfo }
    const { instructions } = await client.request('initialize', hello, limit)
    await channel.tell({ jsonrpc: '2.0', method: 'notifications/initialized' })
    return Object.assign(client, { instructions })
  } catch (error) {
    failure ??= error
    await client.close()
    throw failure
  }
}
