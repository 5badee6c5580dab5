import { AggregatorError } from '#servers/protocol/aggregator-error'
import { abortSignalOf, type Cancellable } from '#servers/protocol/cancellation'
import type { Session } from '#servers/protocol/request-context'

interface Waiting {
  session: Session
  enter(): void
}

export interface Turn {
  /** `hasAsked`: its server asked a question in it. */
  end(hasAsked: boolean): void
}

/**
 * Sessions take turns at a server that asks questions: a question of 2025 does not say which request it
 * is for. A tool that answered without one is called next to others, until the server asks for the
 * first time.
 */
export class Turns {
  readonly #quiet = new Set<string>()
  readonly #waiting: Waiting[] = []
  #hasAsked = false
  #holder: { session: Session; count: number } | undefined
  #open = 0

  /** The server asks now. */
  asks(): void {
    this.#hasAsked = true
  }

  /** A question is open: its client may call the server before it answers. */
  async during<T>(question: Promise<T>): Promise<T> {
    this.#open++
    try {
      return await question
    } finally {
      this.#open--
    }
  }

  /** Resolves to undefined for a request that needs no turn. Rejects when it is cancelled. */
  async take(session: Session, what: string, signal: Cancellable): Promise<Turn | undefined> {
    if (!this.#hasAsked && this.#quiet.has(what)) return undefined
    if (!this.#mayEnter(session)) await this.#wait(session, signal)
    else this.#enter(session)
    return {
      end: (hasAsked) => {
        if (!hasAsked) this.#quiet.add(what)
        this.#leave()
      },
    }
  }

  #mayEnter(session: Session): boolean {
    if (this.#holder === undefined) return this.#waiting.length === 0
    return this.#holder.session === session && (this.#waiting.length === 0 || this.#open > 0)
  }

  #enter(session: Session): void {
    this.#holder ??= { session, count: 0 }
    this.#holder.count++
  }

  #leave(): void {
    if (this.#holder === undefined || --this.#holder.count > 0) return
    this.#holder = undefined
    const [next] = this.#waiting
    // All of the next session that wait together.
    for (const one of this.#waiting.filter(({ session }) => session === next?.session)) {
      this.#waiting.splice(this.#waiting.indexOf(one), 1)
      this.#enter(one.session)
      one.enter()
    }
  }

  #wait(session: Session, signal: Cancellable): Promise<void> {
    if (this.#waiting.length >= maxWaiting) throw tooMany()
    return new Promise((resolve, reject) => {
      const aborted = abortSignalOf(signal)
      if (aborted.aborted) return reject(aborted.reason)
      const onAbort = (): void => {
        const at = this.#waiting.indexOf(one)
        if (at !== -1) this.#waiting.splice(at, 1)
        reject(aborted.reason)
      }
      const one = {
        session,
        enter() {
          aborted.removeEventListener('abort', onAbort)
          resolve()
        },
      }
      aborted.addEventListener('abort', onAbort, { once: true })
      this.#waiting.push(one)
    })
  }
}

const maxWaiting = 1_000

const tooMany = (): AggregatorError =>
  new AggregatorError(
    'too_many',
    `The server asks questions, so that sessions take turns, and ${maxWaiting} calls are waiting already. Nothing was called.`,
    'Try again later.',
  )
