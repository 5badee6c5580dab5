import { ProtocolError } from '@modelcontextprotocol/client'

/** Invalid responses over HTTP: their requests would wait until the timeout. */
export interface UnreadableAnswers {
  /** Waits for one result. Rejects if the server sent an invalid response instead. */
  await<T>(answer: Promise<T>): Promise<T>
  /** Notes an invalid response; it is unknown for which request. */
  note: () => void
}

/**
 * An invalid response belongs to one of the requests that are waiting when it arrives. The request
 * is found by elimination: others get their results, and those left over are rejected. If one of
 * them is cancelled in the meantime, it may have been that one: the others then wait until their
 * timeout.
 */
export function createUnreadableAnswers(): UnreadableAnswers {
  const waiting = new Set<(error: Error) => void>()
  const suspects = new Set<(error: Error) => void>()
  let unreadableCount = 0

  function refuseLeftOver(): void {
    if (suspects.size > unreadableCount) return
    for (const refuse of suspects) {
      waiting.delete(refuse)
      refuse(unreadable())
    }
    clear()
  }

  function clear(): void {
    suspects.clear()
    unreadableCount = 0
  }

  function settle(refuse: (error: Error) => void, isAnswered: boolean): void {
    waiting.delete(refuse)
    if (!suspects.delete(refuse)) return
    if (isAnswered) refuseLeftOver()
    else clear()
  }

  return {
    await: (answer) =>
      new Promise((resolve, reject) => {
        waiting.add(reject)
        answer.then(
          (value) => {
            settle(reject, true)
            resolve(value)
          },
          (error) => {
            settle(reject, error instanceof ProtocolError)
            reject(error)
          },
        )
      }),
    note: () => {
      if (waiting.size === 0) return
      unreadableCount++
      for (const refuse of waiting) suspects.add(refuse)
      refuseLeftOver()
    },
  }
}

/** Errors of the SDK's schemas and of the JSON parser. */
export const isUnreadable = (error: unknown): boolean =>
  /^\$?ZodError$|^SyntaxError$/.test((error as Error | null)?.name ?? '')

export const unreadable = (): Error =>
  Object.assign(new Error('The server answered with a message that is not valid JSON-RPC.'), {
    code: -32600,
  })
