import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import { basePath, createConsoleCode } from '@pith-mcp/console/server'
import type { PublishedConsole } from '../open/running.ts'

interface Request {
  method: 'GET' | 'POST'
  path: string
  headers: Readonly<Record<string, string>>
  body?: object | undefined
  signal: AbortSignal
}

/** Starting a server may take as long as its `startTimeoutSeconds`. */
const maxMs = 120_000

type Answer = Readonly<Record<string, string>>

/**
 * Signs in to the console of a process on this machine. Resolves to what sends requests to its API,
 * which reject with the title and the remedy of a problem.
 */
export async function signInToConsole(endpoint: PublishedConsole) {
  const send = async (request: Omit<Request, 'signal'>) => {
    const signal = AbortSignal.timeout(maxMs)
    const reply = await sendToConsole(endpoint, { ...request, signal })
    if (reply.isOk) return reply
    throw new Error([reply.data['title'], reply.data['remedy']].filter(Boolean).join(' '))
  }
  const path = `${basePath}/session`
  const body = { code: createConsoleCode(endpoint.key) }
  const { data, cookie } = await send({ method: 'POST', path, headers: {}, body })
  const headers = { cookie, 'x-pith-proof': data['proof'] ?? '' }
  return async (method: Request['method'], path: string): Promise<Answer> =>
    (await send({ method, path: basePath + path, headers })).data
}

/** Sends JSON to the console of a process on this machine. */
export async function sendToConsole(
  { url, cert }: PublishedConsole,
  { method, path, headers, body, signal }: Request,
) {
  const { origin, hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = cert === undefined ? undefined : await connectTo(host, Number(port || 443), cert)
  const outgoing = request({
    host,
    port,
    path,
    method,
    headers: { host: new URL(url).host, 'content-type': 'application/json', origin, ...headers },
    signal,
    // An agent would not use the socket.
    ...(socket ? { createConnection: () => socket } : { agent: false }),
  })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  outgoing.end(body && JSON.stringify(body))
  const [reply] = await answered
  const data = (await json(reply)) as Record<string, string>
  const { statusCode = 0, headers: fields } = reply
  return { isOk: statusCode < 300, data, cookie: fields['set-cookie']?.[0]?.split(';')[0] ?? '' }
}

/**
 * Connects to the server that has the certificate in this file, whatever its names and its issuer:
 * the address here is not the one that clients use.
 */
async function connectTo(host: string, port: number, cert: string): Promise<TLSSocket> {
  const fingerprint = new X509Certificate(await readFile(cert)).fingerprint256
  const socket = connect({ host, port, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  if (socket.getPeerX509Certificate()?.fingerprint256 === fingerprint) return socket
  socket.destroy()
  throw new Error(`It has another certificate than ${cert}. A new one is read within seconds.`)
}
