/** Default and maximum of a requested length. */
export interface LengthLimits {
  /** Used for a missing, negative or non-numeric length. Default 5,000. */
  fallback?: number
  /** Hard limit; used for 0 and for anything larger. Default 20,000. */
  cap?: number
}

/** Length of a page in characters for a requested length; 0 means as much as allowed. */
export function resolveLength(
  requested: number | undefined,
  { fallback = 5_000, cap = 20_000 }: LengthLimits = {},
): number {
  if (requested === 0) return cap
  if (requested === undefined || Number.isNaN(requested) || requested < 0)
    return Math.min(fallback, cap)
  return Math.min(Math.max(1, Math.floor(requested)), cap)
}
