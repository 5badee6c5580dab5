import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import type { Resource } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base'
import type { Span, Traced, Tracing } from '#base/tracing'
import { attributesOf, errorAttributesOf, nameOf } from './describe-span.ts'
import type { RecordOperation, Side } from './side.ts'
import { contextIn, withContext } from './trace-context.ts'

/** Encodings of OTLP over HTTP. */
export type TraceProtocol = 'http/protobuf' | 'http/json'

/**
 * Sends spans as the variables of OpenTelemetry say, which its SDK reads. At most 2,048 spans wait
 * for the export, unless `OTEL_BSP_MAX_QUEUE_SIZE` is set.
 */
export function openProvider(
  protocol: TraceProtocol,
  resource: Resource,
  onLog: (text: string) => void,
): BasicTracerProvider {
  const exporter = protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter()
  return new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(logOnce(exporter, onLog))],
  })
}

const kinds: Record<Side, SpanKind> = { server: SpanKind.SERVER, client: SpanKind.CLIENT }

/**
 * Spans that are exported, measured, or both. Without `provider` nothing is exported, and `_meta` is
 * unchanged; `onEnd` is called with the duration of each operation.
 */
export function createTracing(
  transport: Traced['transport'],
  provider: BasicTracerProvider | undefined,
  onEnd: RecordOperation | undefined,
): Tracing {
  const tracer = provider?.getTracer('@pith-mcp/telemetry')

  function spanOf(side: Side, traced: Traced, parent: Context): Span {
    const startedAt = performance.now()
    const span = tracer?.startSpan(
      nameOf(traced),
      { kind: kinds[side], attributes: attributesOf(traced) },
      parent,
    )
    const context = span === undefined ? parent : trace.setSpan(parent, span)
    let isOver = false
    return {
      traceId: span?.spanContext().traceId,
      child: (about) => spanOf('client', about, context),
      metaFor: (meta) => (span === undefined ? meta : withContext(meta, context)),
      end(outcome) {
        if (isOver) return
        isOver = true
        if (outcome !== 'ok') {
          span?.setAttributes(errorAttributesOf(outcome))
          // Error messages may contain secrets: only the code is exported.
          span?.setStatus({ code: SpanStatusCode.ERROR })
        }
        span?.end()
        onEnd?.(side, traced, outcome, (performance.now() - startedAt) / 1_000)
      },
    }
  }

  return {
    begin: (about, meta) =>
      spanOf('server', { transport, ...about }, tracer ? contextIn(meta) : ROOT_CONTEXT),
  }
}

/** Spans that cannot be exported are lost; the first failure and the recovery are logged. */
function logOnce(exporter: SpanExporter, onLog: (text: string) => void): SpanExporter {
  let isBroken = false
  return {
    export(spans, done) {
      exporter.export(spans, ({ code, error }) => {
        const failed = code !== ExportResultCode.SUCCESS
        if (failed !== isBroken)
          onLog(
            failed
              ? `Traces cannot be sent: ${reasonOf(error)}. Calls are not affected. Check OTEL_EXPORTER_OTLP_ENDPOINT.`
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
