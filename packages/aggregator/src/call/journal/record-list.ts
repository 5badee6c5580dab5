import type { Journal } from '#journal/journal'
import type { JsonObject } from '#servers/protocol/message'
import type { RequestContext } from '#servers/protocol/request-context'
import { qualifiedName, type ServerAccount } from '#servers/protocol/server-account'
import type { ToolView } from '../../catalog/tool-view.ts'
import { requestIdOf } from './call-record.ts'

/** Milliseconds after which a list is written, with the savings that are known then. */
const laterMs = 1_000
/** Servers that take longer to start are counted in a second line, if they do in as many seconds. */
const maxTries = 60
/** Servers that a line names. */
const maxNamed = 10

export type ListRecorder = ReturnType<typeof createListRecorder>

/** Records what lists cost, and what they would cost in mode `full`. */
export function createListRecorder(journal: Journal) {
  const open = new Set<(isLast?: boolean) => Promise<void>>()

  return {
    /**
     * `initialView` is the view of the list; `viewNow` returns the current one, if the list does not
     * depend on the servers. What servers would cost that have not answered is said, and counted in
     * a second line when they have.
     */
    note(
      { session, client, span }: Pick<RequestContext, 'session' | 'client' | 'span'>,
      sent: readonly JsonObject[],
      initialView: ToolView,
      viewNow?: () => ToolView,
    ): void {
      const about = {
        time: new Date().toISOString(),
        kind: 'list',
        session: session.id.slice(0, 12),
        request: requestIdOf(span),
        caller: session.access?.caller,
        profile: session.access?.profile,
        client,
        outcome: 'ok',
      } as const
      let counted: number | undefined
      let tries = 0
      let timer = later()
      let writing = Promise.resolve()
      open.add(write)

      function later(): NodeJS.Timeout {
        return setTimeout(() => void write(), laterMs).unref()
      }

      /** One line after the other: the second one counts what the first one has not. */
      function write(isLast = false): Promise<void> {
        clearTimeout(timer)
        writing = writing.then(() => writeNow(isLast))
        return writing
      }

      async function writeNow(isLast: boolean): Promise<void> {
        if (!open.has(write)) return
        const view = viewNow?.() ?? initialView
        const { unknown } = view
        const isOver = isLast || viewNow === undefined || unknown.length === 0 || ++tries > maxTries
        if (isOver) open.delete(write)
        else timer = later()
        const before = counted
        if (before !== undefined && !isOver) return
        const { estimateTokens } = await import('@pith-mcp/paginator')
        const sentTokens = before === undefined ? estimateTokens(JSON.stringify(sent)) : 0
        const { costOfTools } = await import('./cost-of-tools.ts')
        const full = costOfTools(view.tools)
        // What is not known yet, or held, costs something as well: at least what was sent.
        const isPart = unknown.length > 0 || view.tools.length === 0
        counted = isPart ? Math.max(full, sentTokens, before ?? 0) : full
        const resultTokens = counted - (before ?? 0)
        if (before !== undefined && resultTokens === 0) return
        await journal.write({
          ...about,
          resultTokens,
          sentTokens,
          ...(unknown.length > 0 && { message: `not counted yet: ${namesOf(unknown)}` }),
        })
      }
    },
    /** Writes pending records. */
    async flush(): Promise<void> {
      await Promise.all([...open].map((write) => write(true)))
    },
  }
}

function namesOf(units: readonly ServerAccount[]): string {
  const rest = units.length - maxNamed
  const names = units.slice(0, maxNamed).map(qualifiedName).join(', ')
  return rest > 0 ? `${names} and ${rest} more` : names
}
