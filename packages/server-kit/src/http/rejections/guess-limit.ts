/** Limits of wrong credentials. */
export interface GuessBounds {
  /** Wrong credentials of one client before it is slowed. */
  guesses: number
  /** Milliseconds until one of them is forgotten. */
  guessMs: number
  /** Clients that are remembered; the oldest are forgotten first. */
  guessers: number
}

/** What does not prove that its sender ever had a credential: others need their 401 to renew it. */
const isGuess = (reason: string): boolean =>
  /^(?:unknown_token|bad_code|jwt_(?:malformed|signature|key|algorithm|typ))$/.test(reason)

/**
 * Counts wrong credentials by client. Returns the seconds after which the client may try again; 0 if
 * it is not slowed.
 */
export function createGuessLimit({ guesses, guessMs, guessers }: GuessBounds) {
  /** When all guesses of a client will be forgotten; the oldest first. */
  const until = new Map<string, number>()
  return (reason: string, client: string): number => {
    if (!isGuess(reason)) return 0
    const now = performance.now()
    const forgotten = Math.max(until.get(client) ?? 0, now)
    const early = forgotten - now - (guesses - 1) * guessMs
    if (early > 0) return Math.ceil(early / 1_000)
    until.delete(client)
    until.set(client, forgotten + guessMs)
    const [oldest] = until.keys()
    if (until.size > guessers && oldest !== undefined) until.delete(oldest)
    return 0
  }
}
