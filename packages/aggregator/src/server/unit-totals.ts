/** Calls and starts per unit since the process began, ended instances included. */
export class UnitTotals {
  readonly #totals = new Map<string, { calls: number; starts: number }>()

  count(unit: string, what: 'calls' | 'starts'): void {
    const total = this.#totals.get(unit) ?? { calls: 0, starts: 0 }
    this.#totals.set(unit, total)
    total[what]++
  }

  of(unit: string): { calls: number; starts: number } {
    return this.#totals.get(unit) ?? { calls: 0, starts: 0 }
  }
}
