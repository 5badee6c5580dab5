/** A connection to a shared process. */
export interface Link {
  /** How many there were before. */
  readonly number: number
  send(line: string): void
}

type Id = string | number

interface Message {
  id?: Id
  method?: string
  params?: { uri?: string; requestId?: Id } | null
}

/** Lists what a client has declared, which a process that takes over needs to know. */
const declaring = new Set(['initialize', 'notifications/initialized', 'logging/setLevel'])
const listening = 'subscriptions/listen'
const cancelling = 'notifications/cancelled'
/** Requests that a process which takes over answers in place of the one that ended. */
const resumed = new Set(['initialize', listening])

/** What one client and its servers say, over one connection after another. */
export class Conversation {
  readonly #toClient: (line: string) => void
  /** Requests of the client without an answer. */
  readonly #waiting = new Map<Id, { link: Link; line: string; method: string }>()
  /** What the client has declared, by method, and its subscriptions, by address. */
  readonly #declared = new Map<string, string>()
  /** Questions to the client without an answer, by the id that it knows. */
  readonly #questions = new Map<Id, { link: Link; id: Id }>()
  /** Ids of requests that were repeated, whose answers the client has already. */
  #repeated = new Set<Id>()

  /** `toClient` gets the lines of the protocol. */
  constructor(toClient: (line: string) => void) {
    this.#toClient = toClient
  }

  /** A line of the client; `current` gets it, unless it is about what another one works on. */
  fromClient(line: string, current: Link): void {
    const message = parse(line)
    const { id, method, params } = message
    if (method === undefined && id !== undefined) {
      this.#answered(line, message, id)
      return
    }
    this.#declare(message, line)
    if (method !== undefined && id !== undefined)
      this.#waiting.set(id, { link: current, line, method })
    const about = method === cancelling ? params?.requestId : undefined
    const link = about === undefined ? current : (this.#waiting.get(about)?.link ?? current)
    if (about !== undefined) this.#waiting.delete(about)
    link.send(line)
  }

  /** A line of a process. */
  fromServer(line: string, link: Link): void {
    const message = parse(line)
    const { id, method, params } = message
    if (id === undefined) {
      const about = method === cancelling ? params?.requestId : undefined
      const requestId = about === undefined ? undefined : shownId(link, about)
      if (requestId !== undefined) this.#questions.delete(requestId)
      const shown = { ...message, params: { ...params, requestId } }
      this.#toClient(requestId === about ? line : JSON.stringify(shown))
    } else if (method !== undefined) {
      const shown = shownId(link, id)
      this.#questions.set(shown, { link, id })
      this.#toClient(shown === id ? line : JSON.stringify({ ...message, id: shown }))
    } else if (!this.#repeated.delete(id)) {
      this.#waiting.delete(id)
      this.#toClient(line)
    }
  }

  /** Whether a process works on something of this client. */
  isWaitedFor(link: Link): boolean {
    return [...this.#waiting.values()].some((one) => one.link === link && one.method !== listening)
  }

  /** Tells a process what the client has declared. */
  introduce(link: Link): void {
    this.#repeated = new Set()
    for (const line of this.#declared.values()) {
      const { id } = parse(line)
      if (id !== undefined && !this.#waiting.has(id)) this.#repeated.add(id)
      link.send(line)
    }
    for (const one of this.#waiting.values()) {
      if (!resumed.has(one.method)) continue
      one.link = link
      if (one.method === listening) link.send(one.line)
    }
  }

  /** Ends what waits for a process that is gone. */
  lose(link: Link): void {
    for (const [id, one] of this.#waiting) {
      if (one.link !== link || resumed.has(one.method)) continue
      this.#waiting.delete(id)
      this.#toClient(JSON.stringify({ jsonrpc: '2.0', id, error: lost }))
    }
    for (const [requestId, one] of this.#questions) {
      if (one.link !== link) continue
      this.#questions.delete(requestId)
      const params = { requestId, reason: 'The process that asked has ended.' }
      this.#toClient(JSON.stringify({ jsonrpc: '2.0', method: cancelling, params }))
    }
  }

  /** The answer to a question of a process that ended is for no one. */
  #answered(line: string, message: Message, id: Id): void {
    const question = this.#questions.get(id)
    this.#questions.delete(id)
    const known = question?.id
    question?.link.send(known === id ? line : JSON.stringify({ ...message, id: known }))
  }

  #declare({ method = '', params }: Message, line: string): void {
    const uri = String(params?.uri)
    if (method === 'resources/subscribe') this.#declared.set(uri, line)
    else if (method === 'resources/unsubscribe') this.#declared.delete(uri)
    else if (declaring.has(method)) this.#declared.set(method, line)
  }
}

/** A process counts its questions from 0, as the one before it did. */
const shownId = ({ number }: Link, id: Id): Id => (number === 0 ? id : `${number}:${id}`)

const lost = {
  code: -32_603,
  message:
    'The shared process ended before it answered. Whether the request had an effect is unknown, and it was not repeated. The next request reaches a new process.',
}

/** What is not a message is left to the other side. */
function parse(line: string): Message {
  try {
    return (JSON.parse(line) ?? {}) as Message
  } catch {
    return {}
  }
}
