import type { Fields } from '../../protocol/message.ts'
/** The text of a result, as it is paged and searched. */
export interface Document {
  text: string
  /** What paths go into, if there is anything they could go into. */
  json: unknown
  /** The text is JSON. */
  isJson: boolean
}

const documents = new WeakMap<Fields, Document>()

/**
 * All text of a result in its order. Text that only repeats the structured content stands for both;
 * structured content that no text says follows the text.
 */
export function documentOf(result: Fields): Document {
  let document = documents.get(result)
  if (document === undefined) {
    document = readDocument(result)
    documents.set(result, document)
  }
  return document
}

function readDocument(result: Fields): Document {
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
}

/** Structured content that is the text under one key, as file servers have it. */
function isOnly(structured: unknown, text: string): boolean {
  if (typeof structured !== 'object' || structured === null) return false
  const values = Object.values(structured)
  return values.length === 1 && values[0] === text
}

/** The blocks of a result; what is none is left out. */
export function blocksIn({ content }: Fields): Fields[] {
  if (!Array.isArray(content)) return []
  return content.filter((block) => typeof block === 'object' && block !== null)
}

/** Texts of content, and of embedded resources with their addresses. */
export function textsIn(result: Fields): string[] {
  const { content } = result
  // Against the protocol, but what is there is shown.
  if (content !== undefined && !Array.isArray(content)) return [JSON.stringify(content)]
  return blocksIn(result).flatMap((block) => {
    if (typeof block['text'] === 'string') return [block['text']]
    const { text, uri } = (block['resource'] ?? {}) as Fields
    return typeof text === 'string' ? [typeof uri === 'string' ? `[${uri}]\n${text}` : text] : []
  })
}

/** Only texts that look like it are read as JSON; none that is longer, or so deep that it overflows. */
const longestJson = 64 * 1024 * 1024
const deepestJson = 500

export function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || text.length > longestJson) return undefined
  try {
    const json: unknown = JSON.parse(text)
    return isDeeper(json, deepestJson) ? undefined : json
  } catch {
    return undefined
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1))
}

/** What a reply may take, all but what is seen or heard. */
export interface Room {
  /** Default 20,000. */
  characters: number
  /** Of a model, as estimated. Default 10,000. */
  tokens: number
}
