import type { View } from '../catalog/view.ts'
import type { Session } from '../relay/exchange.ts'
import type { Fields } from '../upstream/connection.ts'
import type { Journal } from './journal.ts'

/** Whoever asks for a list calls soon; what it saved can be counted after that. */
const laterMs = 1_000

/** Writes down what lists cost, and what they would have cost in full. */
export interface ListNotes {
  note(session: Session, sent: readonly Fields[], view: View): void
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
    note(session, sent, view) {
      const time = new Date().toISOString()
      const write = async (): Promise<void> => {
        clearTimeout(timer)
        if (!open.delete(write)) return
        const { estimateTokens } = await import('@pith-mcp/paginator')
        journal.write({
          time,
          kind: 'list',
          session: session.id.slice(0, 12),
          caller: session.access?.caller,
          profile: session.access?.profile,
          resultTokens: await fullTokens(view),
          sentTokens: estimateTokens(JSON.stringify(sent)),
          outcome: 'ok',
        })
      }
      const timer = setTimeout(() => void write(), laterMs)
      timer.unref()
      open.add(write)
    },
    async flush() {
      await Promise.all([...open].map((write) => write()))
    },
  }
}
