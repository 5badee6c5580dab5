import type { ToolView } from '../../catalog/tool-view.ts'
import type { JsonObject } from '../../protocol/message.ts'
import { oncePer } from '../../protocol/once-per.ts'
import type { Session } from '../../protocol/request-context.ts'
import type { Journal } from './journal.ts'

/** Servers may answer later than the list is sent: savings are computed after this time. */
const laterMs = 1_000
/** Servers are queried with the first list, and some take long to start. */
const maxTries = 60

export type ListRecorder = ReturnType<typeof createListRecorder>

/** Records what lists cost, and what they would cost in mode `full`. */
export function createListRecorder(journal: Journal) {
  const open = new Set<() => Promise<void>>()

  const fullTokens = oncePer(async ({ tools }: ToolView) => {
    const { estimateTokens } = await import('@pith-mcp/paginator')
    const tokens = tools.map(({ definition }) => estimateTokens(JSON.stringify(definition)))
    return tokens.reduce((sum, one) => sum + one, 0)
  })

  return {
    /**
     * `given` is the view of the list. If the list does not depend on the servers, `viewNow` returns
     * the current view: savings are computed once all servers are known, or not at all.
     */
    note(
      session: Session,
      sent: readonly JsonObject[],
      given: ToolView,
      viewNow?: () => ToolView,
    ): void {
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
        await journal.write({
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
    /** Writes pending records. */
    async flush(): Promise<void> {
      await Promise.all([...open].map((write) => write()))
    },
  }
}
