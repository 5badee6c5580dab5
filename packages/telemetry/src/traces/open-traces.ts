import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import type { Resource } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import type { Meta, Traced } from '#base/tracing'
import type { Side } from '../side.ts'
import { attributesOf, errorAttributesOf, nameOf } from './describe-span.ts'
import { logOnce } from './log-once.ts'
import { contextIn, withContext } from './trace-context.ts'

/** Where spans are sent. Defaults are the variables of OpenTelemetry. */
export interface TraceSettings {
  /** Full URL, such as `http://localhost:4318/v1/traces`. */
  url?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** Share of the requests that begin a trace, from 0 to 1. */
  sampleRatio?: number | undefined
  /** Default `http/protobuf`. */
  protocol?: 'http/protobuf' | 'http/json' | undefined
}

export type StartSpan = (side: Side, traced: Traced, meta: Meta | undefined) => StartedSpan

/** A span, sampled or not. */
export interface StartedSpan {
  child(side: Side, traced: Traced): StartedSpan
  metaFor(meta: Meta | undefined): Record<string, unknown>
  end(outcome: string): void
}

export interface OpenTraces {
  startSpan: StartSpan
  close(): Promise<void>
}

const kinds: Record<Side, SpanKind> = { server: SpanKind.SERVER, client: SpanKind.CLIENT }

/** At most 2,048 spans wait for the export, unless `OTEL_BSP_MAX_QUEUE_SIZE` is set. */
export function openTraces(
  settings: TraceSettings,
  resource: Resource,
  onLog: (text: string) => void,
): OpenTraces {
  const { sampleRatio } = settings
  const provider = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(logOnce(exporterFor(settings), onLog))],
    ...(sampleRatio !== undefined && {
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    }),
  })
  const tracer = provider.getTracer('@pith-mcp/telemetry')

  function start(side: Side, traced: Traced, parent: Context): StartedSpan {
    const span = tracer.startSpan(
      nameOf(traced),
      { kind: kinds[side], attributes: attributesOf(traced) },
      parent,
    )
    const context = trace.setSpan(parent, span)
    return {
      child: (childSide, about) => start(childSide, about, context),
      metaFor: (meta) => withContext(meta, context),
      end: (outcome) => end(span, outcome),
    }
  }

  return {
    startSpan: (side, traced, meta) => start(side, traced, contextIn(meta, ROOT_CONTEXT)),
    close: () => provider.shutdown(),
  }
}

function end(span: Span, outcome: string): void {
  if (outcome !== 'ok') {
    span.setAttributes(errorAttributesOf(outcome))
    // Error messages may contain secrets: only the code is exported.
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}

function exporterFor({ url, headers, protocol }: TraceSettings): JsonExporter | ProtobufExporter {
  const Exporter = protocol === 'http/json' ? JsonExporter : ProtobufExporter
  return new Exporter({
    ...(url !== undefined && { url }),
    ...(headers !== undefined && { headers: { ...headers } }),
  })
}
