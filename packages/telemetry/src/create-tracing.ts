import type { Span, Traced, Tracing } from '#base/tracing'
import type { RecordOperation } from './metrics/operations.ts'
import type { Side } from './side.ts'
import type { StartedSpan, StartSpan } from './traces/open-traces.ts'

/**
 * Spans that are exported, measured, or both. Without `startSpan` nothing is exported, and `_meta` is
 * unchanged; `onEnd` is called with the duration of each operation.
 */
export function createTracing(
  transport: Traced['transport'],
  startSpan: StartSpan | undefined,
  onEnd: RecordOperation | undefined,
): Tracing {
  function spanOf(side: Side, traced: Traced, started: StartedSpan | undefined): Span {
    const startedAt = performance.now()
    let isOver = false
    return {
      child: (about) => spanOf('client', about, started?.child('client', about)),
      metaFor: (meta) => (started === undefined ? meta : started.metaFor(meta)),
      end(outcome) {
        if (isOver) return
        isOver = true
        started?.end(outcome)
        onEnd?.(side, traced, outcome, (performance.now() - startedAt) / 1_000)
      },
    }
  }

  return {
    begin(about, meta) {
      const traced = { transport, ...about }
      return spanOf('server', traced, startSpan?.('server', traced, meta))
    },
  }
}
