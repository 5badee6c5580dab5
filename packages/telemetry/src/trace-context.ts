import {
  type Context,
  ROOT_CONTEXT,
  type TextMapGetter,
  type TextMapSetter,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { Meta } from '#base/tracing'

const propagator = new W3CTraceContextPropagator()

/** Characters. Longer values are ignored. */
const maxLength = 4_096

const getter: TextMapGetter<Meta> = {
  keys: (meta) => Object.keys(meta),
  get(meta, key) {
    const value = meta[key]
    return typeof value === 'string' && value.length <= maxLength ? value : undefined
  },
}

const setter: TextMapSetter<Record<string, unknown>> = {
  set(meta, key, value) {
    if (value !== '') meta[key] = value
  },
}

/** The trace context in `_meta` (W3C Trace Context). */
export const contextIn = (meta: Meta | undefined): Context =>
  meta === undefined ? ROOT_CONTEXT : propagator.extract(ROOT_CONTEXT, meta, getter)

/**
 * Replaces the caller's trace context in `_meta` by ours. `tracestate` belongs to `traceparent` and
 * is replaced with it; `baggage` is unchanged.
 */
export function withContext(meta: Meta | undefined, context: Context): Record<string, unknown> {
  const { traceparent: _, tracestate: __, ...rest } = meta ?? {}
  propagator.inject(context, rest, setter)
  return rest
}
