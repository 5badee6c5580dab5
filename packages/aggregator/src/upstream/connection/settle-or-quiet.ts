interface Gaps {
  gapMs: number
  maxConcurrency: number
  /** Work that takes longer than this frees its slot. */
  slotMs: number
  /** Items have settled before: wait for these no longer than `gapMs`. */
  isAnyDone: boolean
}

/**
 * Runs `work` for each item, `maxConcurrency` at a time. Resolves when all have settled, or when
 * none has settled for `gapMs` after the first success; the rest continues in the background.
 */
export function settleOrQuiet<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  { gapMs = 60, maxConcurrency = 8, slotMs = 1_000, isAnyDone = false }: Partial<Gaps> = {},
): Promise<void> {
  return new Promise((resolve) => {
    const queue = [...items]
    let open = queue.length
    let hasAny = isAnyDone
    let gap: NodeJS.Timeout | undefined
    if (open === 0) return resolve()
    if (hasAny) gap = setTimeout(resolve, gapMs)
    const next = (): void => {
      const item = queue.shift()
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
    for (let index = 0; index < maxConcurrency; index++) next()
  })
}
