/**
 * Aborts after `ms`, or with one of the signals. Node 20 collects a signal of `AbortSignal.timeout`
 * that only `AbortSignal.any` refers to, and then it never aborts: a timer keeps this one.
 */
export function timeLimit(ms: number, ...signals: (AbortSignal | undefined)[]): AbortSignal {
  const late = new AbortController()
  const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  setTimeout(() => late.abort(reason), ms).unref()
  return AbortSignal.any([late.signal, ...signals.filter((signal) => signal !== undefined)])
}
