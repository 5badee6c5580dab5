import { isDeeper } from '#servers/protocol/is-deeper'
import type { JsonObject } from '#servers/protocol/message'
import { oncePer } from '#servers/protocol/once-per'

/** The text of a result, for paging and searching. */
export interface Document {
  text: string
  /** The value that JSON paths apply to; undefined for other texts. */
  json: unknown
  /** The text is JSON. */
  isJson: boolean
}

/**
 * Joins all texts of a result. Text that only repeats the structured content is used for both;
 * otherwise the structured content is appended.
 */
export const documentOf: (result: JsonObject) => Document = oncePer((result) => {
  const { structuredContent } = result
  const texts = textsIn(result)
  const text = texts.join('\n\n')
  const parsed = texts.length === 1 ? parseJson(text) : undefined
  if (structuredContent === undefined) return { text, json: parsed, isJson: parsed !== undefined }
  const structured = JSON.stringify(structuredContent)
  if (parsed !== undefined && JSON.stringify(parsed) === structured)
    return { text, json: structuredContent, isJson: true }
  if (isOnly(structuredContent, text))
    return { text, json: parsed ?? structuredContent, isJson: parsed !== undefined }
  if (text === '' || isList(structuredContent, texts))
    return { text: structured, json: structuredContent, isJson: true }
  return {
    text: `${text}\n\nstructuredContent:\n${structured}`,
    json: structuredContent,
    isJson: false,
  }
})

/** True for structured content that is the text under one key, as file servers return it. */
function isOnly(structured: unknown, text: string): boolean {
  if (typeof structured !== 'object' || structured === null) return false
  const values = Object.values(structured)
  return values.length === 1 && values[0] === text
}

/** True for structured content that is a list of the texts under one key, as FastMCP returns lists. */
function isList(structured: unknown, texts: readonly string[]): boolean {
  const [list, ...more] = Object.values(structured ?? {}) as unknown[]
  if (!Array.isArray(list) || more.length > 0 || list.length !== texts.length) return false
  return list.every((item, at) => {
    const text = texts[at] ?? ''
    return item === text || JSON.stringify(item) === JSON.stringify(parseJson(text))
  })
}

/** The content blocks of a result; invalid ones are skipped. */
export function blocksIn({ content }: JsonObject): JsonObject[] {
  if (!Array.isArray(content)) return []
  return content.filter((block) => typeof block === 'object' && block !== null)
}

/** Texts of blocks, and of embedded resources with their URIs. */
export function textsIn(result: JsonObject): string[] {
  const { content } = result
  // Invalid content is shown as JSON.
  if (content !== undefined && !Array.isArray(content)) return [JSON.stringify(content)]
  return blocksIn(result).flatMap((block) => {
    if (typeof block['text'] === 'string') return [block['text']]
    const { text, uri } = (block['resource'] ?? {}) as JsonObject
    return typeof text === 'string' ? [typeof uri === 'string' ? `[${uri}]\n${text}` : text] : []
  })
}

/** The text of a result, and a line for each block that has none. */
export function searchTextOf(result: JsonObject): string {
  const { text } = documentOf(result)
  const lines = blocksIn(result).flatMap((block, at) => {
    const {
      data: _,
      blob: __,
      ...members
    } = { ...block, ...(block['resource'] as object) } as JsonObject
    if (typeof members['text'] === 'string') return []
    const words = Object.values(members).filter((value) => typeof value === 'string')
    return [`result.content[${at}] ${words.join(' ')}`]
  })
  return lines.length === 0 ? text : [text, ...lines].join('\n')
}

/** Characters. Longer texts are not parsed as JSON, nor are texts that do not look like it. */
const maxJsonLength = 64 * 1024 * 1024
const maxJsonDepth = 500

const maybeJson = /^\s*[[{]/

/** True for a result of texts none of which is JSON. */
export const isPlainText = (result: JsonObject): boolean =>
  result['structuredContent'] === undefined && !textsIn(result).some((text) => maybeJson.test(text))

export function parseJson(text: string): unknown {
  if (!maybeJson.test(text) || text.length > maxJsonLength) return undefined
  try {
    const json: unknown = JSON.parse(text)
    return isDeeper(json, maxJsonDepth) ? undefined : json
  } catch {
    return undefined
  }
}

/** The call of `read_more`, as replies write it. */
export const readMoreCall = (args: JsonObject): string => `read_more(${JSON.stringify(args)})`

/** A size without images and audio. */
export interface Budget {
  characters: number
  /** Estimated. */
  tokens: number
}

export interface Budgets {
  /** The largest reply. Default 20,000 characters and 10,000 tokens. */
  reply: Budget
  /** The first page of a tool's result. Default 4,000 characters and 1,000 tokens. */
  first: Budget
}

/** Times a first page: what is not longer is shown whole. */
const wholeShare = 1.5

/** The longest result that is shown whole where others come in first pages. */
export const wholeOf = ({ first, reply }: Budgets): Budget =>
  lesser({ characters: first.characters * wholeShare, tokens: first.tokens * wholeShare }, reply)

export const lesser = (a: Budget, b: Budget): Budget => ({
  characters: Math.min(a.characters, b.characters),
  tokens: Math.min(a.tokens, b.tokens),
})
