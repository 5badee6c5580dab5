/** What is beyond the bound. */
const other = 'other'
const longest = 80

interface LabelOptions {
  /** What is counted, if values alone are not. */
  key?: string
  /** Whether one that was not there before is let in. Default true. */
  isLet?: boolean
}

/**
 * Values of a label, of which there are at most so many, and `other`: a time series for each costs
 * memory here and wherever it is kept.
 */
export interface Label {
  of(value: string, options?: LabelOptions): string
}

export function createLabel(most: number): Label {
  const seen = new Set<string>()
  return {
    of(value, { key = value, isLet = true } = {}) {
      if (!seen.has(key)) {
        if (!isLet || seen.size >= most) return other
        seen.add(key)
      }
      return safely(value)
    },
  }
}

/** Names come from servers and clients. */
const safely = (value: string): string => value.replace(/[^\x20-\x7e]/g, '_').slice(0, longest)
