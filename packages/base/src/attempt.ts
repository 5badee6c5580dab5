/** What `work` returns, or `otherwise` if it throws. */
export function attempt<T, Otherwise>(work: () => T, otherwise: Otherwise): T | Otherwise {
  try {
    return work()
  } catch {
    return otherwise
  }
}
