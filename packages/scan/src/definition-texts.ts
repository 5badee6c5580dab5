import { isJsonObject } from '#servers/protocol/message'

/** A string of a definition, and where it is: `inputSchema/properties/path/description`. */
export interface DefinitionText {
  text: string
  at: string
  /** Several words: not a name, an identifier or an address. */
  isProse: boolean
}

const maxDepth = 100
/** Characters of all strings together. */
const maxLength = 400_000

/** All strings of a definition, keys included, each for itself; `isWhole` is false beyond the bounds. */
export function textsOf(definition: unknown): { texts: DefinitionText[]; isWhole: boolean } {
  const texts: DefinitionText[] = []
  let rest = maxLength
  const add = (text: string, at: string): void => {
    rest -= text.length
    if (text !== '' && rest >= 0) texts.push({ text, at, isProse: isProse(text) })
  }
  const walk = (value: unknown, at: string, depth: number): boolean => {
    if (typeof value === 'string') add(value, at)
    if (typeof value !== 'object' || value === null) return true
    if (depth > maxDepth) return false
    return Object.entries(value).every(([key, item]) => {
      const path = at === '' ? key : `${at}/${key}`
      if (isJsonObject(value)) add(key, path)
      return walk(item, path, depth + 1)
    })
  }
  const isWhole = walk(definition, '', 0)
  return { texts, isWhole: isWhole && rest >= 0 }
}

/** Scripts that are written without blanks count by letters. */
const isProse = (text: string): boolean => /\S\s+\S+\s+\S|[^\0-\u24ff]{8}/u.test(text)
