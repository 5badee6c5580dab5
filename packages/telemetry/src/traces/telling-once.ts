import { ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'

/** Spans that cannot be sent are lost; the first time that is told, and when it is over. */
export function tellingOnce(exporter: SpanExporter, onLog: (text: string) => void): SpanExporter {
  let isBroken = false
  return {
    export(spans, done) {
      exporter.export(spans, ({ code, error }) => {
        const failed = code !== ExportResultCode.SUCCESS
        if (failed !== isBroken)
          onLog(
            failed
              ? `Traces cannot be sent: ${reasonOf(error)}. Calls go on; see aggregator.telemetry or OTEL_EXPORTER_OTLP_ENDPOINT.`
              : 'Traces are sent again.',
          )
        isBroken = failed
        // It was told: the SDK would tell whoever listens globally.
        done({ code: ExportResultCode.SUCCESS })
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

/** The first line: what a server answered may follow it. */
function reasonOf(error: Error | undefined): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  const said = cause?.code ?? code ?? error?.message ?? 'for a reason that was not said'
  return String(said).split('\n', 1)[0]?.slice(0, 200).replace(/\.$/, '') ?? ''
}
