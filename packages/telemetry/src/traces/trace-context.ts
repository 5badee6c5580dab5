import type { Context, TextMapGetter, TextMapSetter } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { Meta } from '../tracing.ts'

const propagator = new W3CTraceContextPropagator()

/** Longer ones are nobody's. */
const longest = 4_096

const getter: TextMapGetter<Meta> = {
  keys: (meta) => Object.keys(meta),
  get(meta, key) {
    const value = meta[key]
    return typeof value === 'string' && value.length <= longest ? value : undefined
  },
}

const setter: TextMapSetter<Record<string, unknown>> = {
  set(meta, key, value) {
    if (value !== '') meta[key] = value
  },
}

/** The trace that the sender of `_meta` says this is a part of, by W3C Trace Context. */
export const contextIn = (meta: Meta | undefined, outer: Context): Context =>
  meta === undefined ? outer : propagator.extract(outer, meta, getter)

/**
 * `_meta` with the trace context of ours in place of the caller's. A `tracestate` belongs to its
 * `traceparent` and goes with it; `baggage` passes as it is.
 */
export function withContext(meta: Meta | undefined, context: Context): Record<string, unknown> {
  const { traceparent: _, tracestate: __, ...rest } = meta ?? {}
  propagator.inject(context, rest, setter)
  return rest
}
