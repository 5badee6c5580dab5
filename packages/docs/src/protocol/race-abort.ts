/** Stop waiting for work when the signal aborts. The work itself continues. */
export async function raceAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  // Nothing else may handle its rejection.
  work.catch(() => {})
  signal.throwIfAborted()
  const over = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    over.abort()
  }
}
