const seconds = 60

/** Counts calls in each of the last 60 seconds. */
export class CallRate {
  readonly #perSecond = new Map<number, number>()

  add(calls: number): void {
    const now = second()
    this.#perSecond.set(now, (this.#perSecond.get(now) ?? 0) + calls)
  }

  /** Calls of each second, oldest first. */
  lastMinute(): number[] {
    const now = second()
    for (const time of this.#perSecond.keys())
      if (time <= now - seconds) this.#perSecond.delete(time)
    return Array.from(
      { length: seconds },
      (_, index) => this.#perSecond.get(now - seconds + 1 + index) ?? 0,
    )
  }
}

const second = () => Math.floor(Date.now() / 1000)
