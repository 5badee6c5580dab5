/** The words of a list. */
export const wordsOf = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

/** A table whose rows are a value after the words that stand for it. */
export const byWord = <Value>(
  rows: readonly (readonly [words: string, value: Value])[],
): ReadonlyMap<string, Value> =>
  new Map(rows.flatMap(([words, value]) => words.split(' ').map((word) => [word, value] as const)))
