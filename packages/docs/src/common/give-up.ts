/** Work whose result nobody waits for any more once the signal says so; the work itself goes on. */
export async function unlessGivenUp<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return work
  // Nobody may be left to hear of its failure.
  work.catch(() => {})
  signal.throwIfAborted()
  const over = new AbortController()
  const givenUp = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal })
  })
  try {
    return await Promise.race([work, givenUp])
  } finally {
    over.abort()
  }
}
