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
