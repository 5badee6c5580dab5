/** What a server opens at its first call. */
interface Closable {
  close(): void | Promise<void>
}

/** A library that is opened when it is first needed; after a failure it is opened again. */
export class LazyLibrary<Library extends Closable> {
  readonly #create: () => Promise<Library>
  #opened: Promise<Library> | undefined

  constructor(create: () => Promise<Library>) {
    this.#create = create
  }

  /** Errors of the library pass through. */
  readonly open = (): Promise<Library> => {
    if (this.#opened) return this.#opened
    const opening = this.#create()
    this.#opened = opening
    opening.catch(() => {
      this.#opened = undefined
    })
    return opening
  }

  /** Closes what was opened; never fails. */
  async close(): Promise<void> {
    try {
      await (await this.#opened)?.close()
    } catch {
      // What could not be opened or closed must not keep the program from ending.
    }
  }
}
