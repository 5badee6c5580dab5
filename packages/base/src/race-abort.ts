/**
 * Stops waiting for `work` when the signal aborts. The work itself continues; a value that arrives
 * later is passed to `late`.
 */
export async function raceAbort<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  late: (value: T) => void = () => {},
): Promise<T> {
  if (!signal) return work
  // Nothing else may handle its rejection.
  work.catch(() => {})
  signal.throwIfAborted()
  const over = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = (): void => {
      work.then(late, () => {})
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { signal: over.signal })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    over.abort()
  }
}

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
