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
  if (text === '') return { text: structured, json: structuredContent, isJson: true }
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

/** The size of a reply without images and audio. */
export interface Budget {
  /** Default 20,000. */
  characters: number
  /** Estimated tokens. Default 10,000. */
  tokens: number
}
