import { type Cancellable, Cancellation } from '../protocol/cancellation.ts'

/** A timeout that restarts at each progress and is paused while a user is asked. */
export type Deadline = ReturnType<typeof createDeadline>

export function createDeadline(limitMs: number, outer: Cancellable) {
  const cancellation = new Cancellation()
  let timer: NodeJS.Timeout | undefined
  let pauses = 0
  let isPassed = false
  const onAbort = (): void => cancellation.abort(outer.reason)
  const start = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      isPassed = true
      cancellation.abort(new Error(`no answer within ${limitMs / 1000} s`))
    }, limitMs)
  }
  if (outer.aborted) onAbort()
  else outer.addEventListener('abort', onAbort, { once: true })
  start()
  return {
    /** Aborts at the timeout, or with the outer signal and its reason. */
    signal: cancellation as Cancellable,
    get isPassed() {
      return isPassed
    },
    alive() {
      if (pauses === 0 && !isPassed) start()
    },
    /** Pauses the timeout until the returned function is called. */
    pause() {
      pauses++
      clearTimeout(timer)
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        if (--pauses === 0 && !isPassed) start()
      }
    },
    clear() {
      clearTimeout(timer)
      outer.removeEventListener('abort', onAbort)
    },
  }
}
