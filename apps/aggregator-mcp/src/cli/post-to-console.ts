import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import type { PublishedConsole } from '../open/running.ts'

interface Post {
  path: string
  headers: Readonly<Record<string, string>>
  body?: object | undefined
  signal: AbortSignal
}

/** Sends JSON to the console of a process on this machine. */
export async function postToConsole(
  { url, cert }: PublishedConsole,
  { path, headers, body, signal }: Post,
) {
  const { origin, hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = cert === undefined ? undefined : await connectTo(host, Number(port || 443), cert)
  const outgoing = request({
    host,
    port,
    path,
    method: 'POST',
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
