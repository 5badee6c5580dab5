import { ProtocolError } from '@modelcontextprotocol/client'

/** Answers over HTTP that no reader took: the requests they were for would wait until their time limit. */
export interface UnreadableAnswers {
  /** The answer to one request. Rejects if the server sent something unreadable instead of it. */
  await<T>(answer: Promise<T>): Promise<T>
  /** Something unreadable came. It does not say for which request. */
  note: () => void
}

/**
 * An unreadable answer belongs to one of the requests that wait when it comes. Which one shows by
 * elimination: the others get their answers, and those left over are refused. If one of them is given
 * up meanwhile, it may have been the one: the others then wait until their time limit.
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

/** The SDK's schema, or the parser of JSON, did not take it. */
export const isUnreadable = (error: unknown): boolean =>
  /^\$?ZodError$|^SyntaxError$/.test((error as Error | null)?.name ?? '')

export const unreadable = (): Error =>
  Object.assign(new Error('The server answered with what is no message of JSON-RPC'), {
    code: -32600,
  })
