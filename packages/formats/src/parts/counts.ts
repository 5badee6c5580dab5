import type { Page } from '@pith-mcp/cleaner'

const about = /(?= (?:for|of|past|repeated|that|to|without) |$)/

/** What a format leaves out of a page, by kind. */
export class Counts {
  readonly #counts = new Map<string, number>()

  /** The word of `kind` before what is said of it gets the plural. */
  add(kind: string, count: number): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count)
  }

  has(kind: string): boolean {
    return this.#counts.has(kind)
  }

  /** The page, with `3 images`, `1 attachment` in its health. */
  onPage(page: Page): Page {
    const unread = [...this.#counts].map(
      ([kind, count]) => `${count} ${count === 1 ? kind : kind.replace(about, 's')}`,
    )
    return unread.length === 0 ? page : { ...page, health: { ...page.health, unread } }
  }
}
