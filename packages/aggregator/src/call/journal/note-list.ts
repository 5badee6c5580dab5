import type { View } from '../../catalog/view.ts'
import type { Session } from '../../protocol/exchange.ts'
import type { Fields } from '../../protocol/message.ts'
import type { Journal } from './journal.ts'

/** Whoever asks for a list calls soon; what it saved can be counted after that. */
const laterMs = 1_000
/** Servers that were never asked before are asked with the first list; some take long to start. */
const maxTries = 60

/** Writes down what lists cost, and what they would have cost in full. */
export interface ListNotes {
  /**
   * `view` is what was known then. Where the list does not depend on that, `viewNow` gives what is known
   * later: what a list saves is counted once all servers are known, or not at all.
   */
  note(session: Session, sent: readonly Fields[], view: View, viewNow?: () => View): void
  /** Write what is still to be counted. */
  flush(): Promise<void>
}

export function createListNotes(journal: Journal): ListNotes {
  const inFull = new WeakMap<View, number>()
  const open = new Set<() => Promise<void>>()

  async function fullTokens(view: View): Promise<number> {
    const { estimateTokens } = await import('@pith-mcp/paginator')
    const known = inFull.get(view)
    const tokens =
      known ??
      view.tools.reduce(
        (sum, { definition }) => sum + estimateTokens(JSON.stringify(definition)),
        0,
      )
    inFull.set(view, tokens)
    return tokens
  }

  return {
    note(session, sent, given, viewNow) {
      const time = new Date().toISOString()
      let tries = 0
      let timer = setTimeout(later, laterMs).unref()
      open.add(write)

      function later(): void {
        const isKnown = viewNow === undefined || viewNow().unknown.length === 0
        if (isKnown || ++tries >= maxTries) void write()
        else timer = setTimeout(later, laterMs).unref()
      }

      async function write(): Promise<void> {
        clearTimeout(timer)
        if (!open.delete(write)) return
        const view = viewNow?.() ?? given
        const isKnown = viewNow === undefined || view.unknown.length === 0
        const { estimateTokens } = await import('@pith-mcp/paginator')
        journal.write({
          time,
          kind: 'list',
          session: session.id.slice(0, 12),
          caller: session.access?.caller,
          profile: session.access?.profile,
          ...(isKnown && { resultTokens: await fullTokens(view) }),
          sentTokens: estimateTokens(JSON.stringify(sent)),
          outcome: 'ok',
        })
      }
    },
    async flush() {
      await Promise.all([...open].map((write) => write()))
    },
  }
}
