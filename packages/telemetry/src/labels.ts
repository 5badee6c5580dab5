/** True if the tool exists, even if it failed. */
export const isAnswered = (outcome: string): boolean => outcome === 'ok' || outcome === 'tool_error'

/** Label of values beyond the bound. */
const otherLabel = 'other'
const maxLength = 80

interface LabelOptions {
  /** Identifies the value, if the value alone is not unique. */
  key?: string
  /** Accept a value that was not seen before. Default true. */
  isLet?: boolean
}

type Label = (value: string, options?: LabelOptions) => string

/**
 * Values of a label, at most a fixed number and `other`: each one is a time series and costs memory
 * here and in the database.
 */
export function createLabel(most: number): Label {
  const labels = new Set<string>()
  return (value, { key = value, isLet = true } = {}) => {
    if (!labels.has(key)) {
      if (!isLet || labels.size >= most) return otherLabel
      labels.add(key)
    }
    return safely(value)
  }
}

/** Names come from servers and clients. */
const safely = (value: string): string => value.replace(/[^\x20-\x7e]/g, '_').slice(0, maxLength)
