import type { Span } from '#base/tracing'
import type { JsonObject } from './message.ts'

/** Runs `work` and ends the span with its outcome. */
export async function traced<T>(
  span: Span | undefined,
  work: () => Promise<T>,
  outcomeOf: (result: T) => string = () => 'ok',
): Promise<T> {
  if (span === undefined) return work()
  try {
    const result = await work()
    span.end(outcomeOf(result))
    return result
  } catch (error) {
    span.end(failureOf(error))
    throw error
  }
}

/** The outcome of a result: tools report their failures in it. */
export const outcomeOf = ({ isError }: JsonObject): string =>
  isError === true ? 'tool_error' : 'ok'

function failureOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  if (name === 'AbortError') return 'cancelled'
  return typeof code === 'string' || typeof code === 'number' ? String(code) : 'failed'
}
