import type { RecordOperation } from './metrics/operations.ts'
import type { StartedSpan, StartSpan } from './traces/open-traces.ts'
import type { Side, Span, Traced, Tracing } from './tracing.ts'

export interface TracingOptions {
  /** How clients reach the server. */
  transport?: 'pipe' | 'tcp' | undefined
  /** Without it nothing is exported, and `_meta` is unchanged. */
  startSpan?: StartSpan | undefined
  /** Called with the duration of each operation. */
  onEnd?: RecordOperation | undefined
}

/** Spans that are exported, measured, or both. */
export function createTracing({ transport, startSpan, onEnd }: TracingOptions): Tracing {
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
