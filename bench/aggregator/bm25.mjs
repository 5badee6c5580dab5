// Okapi BM25 as clients use it that search tools themselves.
export const words = (text) =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Characters of a description that clients with a search of their own read. */
const maxDescription = 2_048

/** Names, descriptions and names of arguments. */
export const textOf = ({ name, title, description, inputSchema }) =>
  `${name} ${title ?? ''} ${(description ?? '').slice(0, maxDescription)} ${Object.keys(inputSchema?.properties ?? {}).join(' ')}`

/** k1 1.2, b .75: scores of the tools for a query, in their order. */
export function bm25(tools) {
  const documents = tools.map((tool) => {
    const counts = new Map()
    const all = words(textOf(tool))
    for (const word of all) counts.set(word, (counts.get(word) ?? 0) + 1)
    return { counts, length: all.length }
  })
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length
  const frequency = new Map()
  for (const { counts } of documents)
    for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const idf = (word) => {
    const found = frequency.get(word) ?? 0
    return Math.log(1 + (documents.length - found + 0.5) / (found + 0.5))
  }
  return (query) =>
    documents.map(({ counts, length }) =>
      words(query).reduce((sum, word) => {
        const count = counts.get(word) ?? 0
        return sum + (idf(word) * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average))
      }, 0),
    )
}
