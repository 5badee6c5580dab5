import { ExportResultCode } from '@opentelemetry/core'
import type { SpanExporter } from '@opentelemetry/sdk-trace-base'

/** Spans that cannot be exported are lost; the first failure and the recovery are logged. */
export function logOnce(exporter: SpanExporter, onLog: (text: string) => void): SpanExporter {
  let isBroken = false
  return {
    export(spans, done) {
      exporter.export(spans, ({ code, error }) => {
        const failed = code !== ExportResultCode.SUCCESS
        if (failed !== isBroken)
          onLog(
            failed
              ? `Traces cannot be sent: ${reasonOf(error)}. Calls are not affected. Check aggregator.telemetry or OTEL_EXPORTER_OTLP_ENDPOINT.`
              : 'Traces are sent again.',
          )
        isBroken = failed
        // Reported as a success: the SDK would report failures to its global handler.
        done({ code: ExportResultCode.SUCCESS })
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

/** The first line only: the rest may be the answer of a server. */
function reasonOf(error: Error | undefined): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  const message = cause?.code ?? code ?? error?.message ?? 'the reason is unknown'
  return String(message).split('\n', 1)[0]?.slice(0, 200).replace(/\.$/, '') ?? ''
}
