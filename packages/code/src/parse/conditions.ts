/** The choices of a preprocessor that are open at some place of a text. */
export interface Conditions {
  /** What follows is left out by `#if 0`. */
  readonly isSkipping: boolean
  /** Takes a directive, from its `#`, and sets the state to go on with. */
  take(directive: string): void
}

interface Choice<State> {
  start: State
  /** Behind the first text, once there is another. */
  first?: State
  isSkipped: boolean
}

/**
 * Of texts that `#if` chooses from, each begins in the state before them, and what follows goes on
 * from that behind the first. What `#if 0` leaves out is as if it were not there.
 */
export function createConditions<State>(
  save: () => State,
  restore: (state: State) => void,
): Conditions {
  const open: Choice<State>[] = []
  let skipped = 0

  function begin(isNever: boolean): void {
    const isSkipped = skipped > 0 || isNever
    open.push({ start: save(), isSkipped })
    if (isSkipped) skipped++
  }

  function choose(): void {
    const choice = open.at(-1)
    if (!choice) return
    if (!choice.isSkipped) {
      choice.first ??= save()
      restore(choice.start)
    } else if (skipped === 1) {
      choice.isSkipped = false
      skipped = 0
    }
  }

  function end(): void {
    const choice = open.pop()
    if (choice?.isSkipped) skipped--
    else if (choice?.first) restore(choice.first)
  }

  return {
    get isSkipping() {
      return skipped > 0
    },
    take(directive) {
      const [, word = '', rest = ''] = /^#\s*(\w+)\s*(\S*)/.exec(directive) ?? []
      if (word.startsWith('if')) begin(word === 'if' && /^0(?:$|\/)/.test(rest))
      else if (word.startsWith('el')) choose()
      else if (word === 'endif') end()
    },
  }
}
