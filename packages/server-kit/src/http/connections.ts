import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Server as SecureServer, type TLSSocket } from 'node:tls'
import { networkOf, type TrustedProxies } from './address/client-address.ts'
import type { Bounds } from './bounded-server.ts'

interface Connection {
  /** That of TLS, once its handshake is over. */
  socket: Socket
  /** Its ends, until its TLS handshake is over. */
  handshake: string | undefined
  /** Undefined for trusted proxies: their connections carry many clients. */
  readonly network: string | undefined
  /** When it was opened, or last began or ended a request. */
  since: number
  /** The newest. */
  request?: IncomingMessage
  /** True for requests that are admitted: with a valid credential, or where none is required. */
  readonly open: Map<ServerResponse, boolean>
  /** It has sent a valid credential. */
  isKnown: boolean
  /** It has been answered that its request is late. */
  isLate?: true
}

interface ConnectionsOptions {
  bounds: Bounds
  proxies: TrustedProxies
  /** False if anyone may use the server. */
  requiresAuth: () => boolean
  onClosed: (address: string) => void
}

/** What may be closed, in this order. */
const ranks = { unproven: 0, idle: 1, public: 2, never: 3 } as const

/**
 * The connections of a server. Those that do nothing make room, so that no client can shut it by
 * keeping connections. What has a valid credential is never closed while it is answered.
 */
export class Connections {
  readonly #options: ConnectionsOptions
  /** The longest idle first. */
  readonly #all = new Set<Connection>()
  readonly #bySocket = new WeakMap<Duplex, Connection>()
  /** By their ends, which the sockets of TCP and TLS share. */
  readonly #handshakes = new Map<string, Connection>()

  constructor(server: Server, options: ConnectionsOptions) {
    this.#options = options
    const isTls = server instanceof SecureServer
    server.on('connection', (socket: Socket) => this.#add(socket, isTls))
    server.on('secureConnection', (socket: TLSSocket) => this.#secure(socket))
    server.once('listening', () => {
      // After what has arrived is read: a busy process would take it for silence.
      const sweep = (): unknown => setImmediate(() => this.#sweep(server))
      const sweeping = setInterval(sweep, options.bounds.graceMs).unref()
      server.once('close', () => clearInterval(sweeping))
    })
  }

  /** A request has come, and ends with its response. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#bySocket.get(request.socket)
    if (connection === undefined) return
    connection.request = request
    connection.open.set(response, false)
    this.#touch(connection)
    response.once('close', () => {
      connection.open.delete(response)
      this.#touch(connection)
    })
  }

  /** A request is admitted, `isKnown` with a valid credential; or its credential is being checked. */
  admit(request: IncomingMessage, response: ServerResponse, isKnown: boolean): void {
    const connection = this.#bySocket.get(request.socket)
    if (!connection?.open.has(response)) return
    connection.open.set(response, true)
    connection.isKnown ||= isKnown
  }

  /** Ends the connections whose TLS handshake is not over: Node does not count them as open. */
  endHandshakes(): void {
    for (const { socket } of this.#handshakes.values()) socket.destroy()
  }

  #add(socket: Socket, isTls: boolean): void {
    const { bounds, proxies } = this.#options
    const { remoteAddress = '' } = socket
    const network = proxies.isTrusted(remoteAddress) ? undefined : networkOf(remoteAddress)
    const since = performance.now()
    const handshake = isTls ? endsOf(socket) : undefined
    const open = new Map()
    const connection: Connection = { socket, handshake, network, since, open, isKnown: false }
    // Node closes those that exceed the bound, before they can be judged.
    if (this.#all.size >= bounds.connections - 1) this.#close(this.#all, 1, ranks.public)
    this.#all.add(connection)
    this.#bySocket.set(socket, connection)
    if (handshake !== undefined) this.#handshakes.set(handshake, connection)
    socket.once('close', () => {
      this.#all.delete(connection)
      this.#endHandshake(connection)
    })
  }

  #secure(socket: TLSSocket): void {
    const connection = this.#handshakes.get(endsOf(socket))
    // It has been closed.
    if (connection === undefined) return void socket.destroy()
    this.#endHandshake(connection)
    connection.socket = socket
    this.#bySocket.set(socket, connection)
  }

  #endHandshake(connection: Connection): void {
    const { handshake = '' } = connection
    if (this.#handshakes.get(handshake) === connection) this.#handshakes.delete(handshake)
    connection.handshake = undefined
  }

  #touch(connection: Connection): void {
    connection.since = performance.now()
    if (this.#all.delete(connection)) this.#all.add(connection)
  }

  /** Closes up to `count`, of the lowest rank first, and the longest idle of these. */
  #close(from: ReadonlySet<Connection>, count: number, lastRank: number): void {
    let remaining = count
    for (let rank: number = ranks.unproven; rank <= lastRank; rank++)
      for (const connection of from) {
        if (remaining <= 0) return
        if (rankOf(connection) !== rank || !this.#all.delete(connection)) continue
        this.#options.onClosed(connection.socket.remoteAddress ?? '')
        connection.socket.destroy()
        remaining--
      }
  }

  #sweep(server: Server): void {
    const { bounds, requiresAuth } = this.#options
    const now = performance.now()
    const isOpen = !requiresAuth()
    const idle = new Set<Connection>()
    const knownNetworks = new Set<string | undefined>()
    /** Without a credential; where none is required, without a whole request. */
    const strangers = new Map<string, { count: number; idle: Set<Connection> }>()
    for (const connection of this.#all) {
      const { isKnown, network, since } = connection
      if (now - since >= bounds.graceMs) idle.add(connection)
      if (isKnown) knownNetworks.add(network)
      if (network === undefined || (isOpen ? isWhole(connection) : isKnown)) continue
      const group = strangers.get(network) ?? { count: 0, idle: new Set() }
      strangers.set(network, group)
      group.count++
      // A client that is in order may be about to send its next request.
      const isQuiet = isWhole(connection) && connection.open.size === 0
      if (now - since >= (isQuiet ? bounds.strangerMs : bounds.graceMs)) group.idle.add(connection)
    }
    for (const group of strangers.values())
      this.#close(group.idle, group.count - bounds.strangers, ranks.public)
    const most = bounds.connections * bounds.crowdedAt
    const isCrowded = this.#all.size >= most
    this.#close(idle, this.#all.size - most, ranks.idle)
    for (const connection of this.#all) {
      const { request, since, network, socket, isLate, handshake } = connection
      const isPatient = !isCrowded && (network === undefined || knownNetworks.has(network))
      if (isLate || request || isPatient || now - since < bounds.strangerMs) continue
      connection.isLate = true
      const code = handshake ? 'ERR_TLS_HANDSHAKE_TIMEOUT' : 'ERR_HTTP_REQUEST_TIMEOUT'
      const error = Object.assign(new Error('no head'), { code })
      server.emit('clientError', error, socket)
    }
  }
}

const endsOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`

const isWhole = ({ request }: Connection): boolean => request?.complete === true

function rankOf(connection: Connection): number {
  const { open, isKnown, network } = connection
  if (open.size === 0) return isKnown || network === undefined ? ranks.idle : ranks.unproven
  if (!isKnown && !isWhole(connection)) return ranks.unproven
  return [...open.values()].includes(true) ? ranks.never : ranks.public
}
