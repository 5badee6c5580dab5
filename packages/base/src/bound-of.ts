const nouns: Readonly<Record<string, string>> = { array: 'item', string: 'character' }

/** A bound of a schema in words: `must have at least 1 item`, `must be below 5`. */
export function boundOf(origin: string, words: string, bound: number | bigint): string {
  const noun = nouns[origin]
  return noun === undefined
    ? `must be ${words} ${bound}`
    : `must have ${words} ${bound} ${noun}${Number(bound) === 1 ? '' : 's'}`
}
