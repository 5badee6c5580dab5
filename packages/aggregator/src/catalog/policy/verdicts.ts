/**
 * Whether a value meets a condition; undefined if a server may read it so that it does, or does not.
 * Denials and questions count undefined as met, permissions as not met.
 */
export type Verdict = boolean | undefined

/** False if one is, undefined if one cannot be judged. */
export const all = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.includes(false) ? false : verdicts.includes(undefined) ? undefined : true

export const any = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.includes(true) ? true : verdicts.includes(undefined) ? undefined : false

export const opposite = (verdict: Verdict): Verdict =>
  verdict === undefined ? undefined : !verdict
