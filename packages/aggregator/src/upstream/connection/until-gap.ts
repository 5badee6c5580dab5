interface Gaps {
  gapMs: number
  atOnce: number
  /** Who takes longer does not count among those at once any more. */
  slotMs: number
  /** Others were done before: nobody waits longer than the gap for these. */
  isAnyDone: boolean
}

/**
 * Do something with each item, `atOnce` at a time. Resolves when all are done or have failed, or
 * when none has come to its end for `gapMs` after one was done; the rest goes on.
 */
export function untilGap<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  { gapMs = 60, atOnce = 8, slotMs = 1_000, isAnyDone = false }: Partial<Gaps> = {},
): Promise<void> {
  return new Promise((resolve) => {
    const waiting = [...items]
    let open = waiting.length
    let hasAny = isAnyDone
    let gap: NodeJS.Timeout | undefined
    if (open === 0) return resolve()
    if (hasAny) gap = setTimeout(resolve, gapMs)
    const next = (): void => {
      const item = waiting.shift()
      if (item === undefined) return
      let hasSlot = true
      const release = (): void => {
        if (hasSlot) next()
        hasSlot = false
      }
      const slot = setTimeout(release, slotMs)
      work(item)
        .then(
          () => {
            hasAny = true
          },
          () => {},
        )
        .finally(() => {
          open--
          clearTimeout(gap)
          clearTimeout(slot)
          if (open === 0) resolve()
          else if (hasAny) gap = setTimeout(resolve, gapMs)
          release()
        })
    }
    for (let index = 0; index < atOnce; index++) next()
  })
}
