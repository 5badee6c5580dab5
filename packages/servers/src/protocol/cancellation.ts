/** What work needs of an `AbortSignal`, to end early. */
export type Cancellable = Pick<AbortSignal, 'aborted' | 'reason' | 'throwIfAborted'> & {
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/**
 * An abort signal with its controller. A real one costs several microseconds with a listener, and
 * each call has two: it is made when a library asks for it.
 */
export class Cancellation implements Cancellable {
  readonly #listeners = new Set<() => void>()
  #controller: AbortController | undefined
  aborted = false
  reason: unknown

  abort(reason: unknown = new DOMException('This operation was aborted', 'AbortError')): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    this.#controller?.abort(reason)
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener)
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.aborted) this.#controller.abort(this.reason)
    return this.#controller.signal
  }
}

/** For what takes real signals only. */
export const abortSignalOf = (source: Cancellable): AbortSignal =>
  source instanceof Cancellation ? source.signal : (source as AbortSignal)
