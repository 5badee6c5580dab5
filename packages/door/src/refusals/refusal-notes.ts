/** A request that was not served, for those who keep the door. Nothing in it is secret. */
export interface Refusal {
  /** One word. */
  reason: string
  status: number
  method: string
  /** Without the query, in printable ASCII, at most 200 characters. */
  path: string
  /** Of the other end of the connection. */
  address: string
  /** Where that is known. */
  who?: string | undefined
  /** How many it stands for; above 1 the others are like it in reason and address. */
  count: number
}

export interface RefusalNotes {
  note(refusal: Omit<Refusal, 'count'>): void
  /** Tell of what is only counted yet. */
  flush(): void
}

const ofAKind = 5
const kindsOfAMinute = 30
const linesOfAMinute = 60
const windowMs = 60_000

/**
 * The first of a kind in a minute are told one by one, the others as a number at its end: a flood
 * must not fill a disk, nor push out what was written before. Beyond so many kinds addresses are no
 * longer told apart.
 */
export function createRefusalNotes(tell: (refusal: Refusal) => void): RefusalNotes {
  const kinds = new Map<string, { untold: number; told: number; last: Omit<Refusal, 'count'> }>()
  let lines = 0
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    lines = 0
    const all = [...kinds.values()]
    kinds.clear()
    for (const { untold, last } of all) if (untold > 0) tell({ ...last, count: untold })
  }

  return {
    note(refusal) {
      timer ??= setTimeout(flush, windowMs).unref()
      const own = `${refusal.reason} ${refusal.address}`
      const isRoom = kinds.has(own) || kinds.size < kindsOfAMinute
      const key = isRoom ? own : refusal.reason
      const kind = kinds.get(key) ?? { untold: 0, told: 0, last: refusal }
      kinds.set(key, kind)
      kind.last = isRoom ? refusal : { ...refusal, address: 'several', who: undefined }
      if (kind.told < ofAKind && lines < linesOfAMinute) {
        kind.told++
        lines++
        tell({ ...refusal, count: 1 })
      } else kind.untold++
    },
    flush,
  }
}

/** What came from outside, fit to be written down. */
export const safely = (text: string | undefined, most: number = 200): string =>
  (text ?? '').slice(0, most).replace(/[^\x20-\x7e]/g, '?')
