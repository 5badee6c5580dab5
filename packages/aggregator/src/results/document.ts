import type { Fields } from '../upstream/connection.ts'

/** The text of a result, as it is paged and searched. */
export interface Document {
  text: string
  /** What the text is of, if it is JSON; what paths go into. */
  json: unknown
  isJson: boolean
}

/** Only texts that look like it are read as JSON, and none that is longer. */
const longestJson = 64 * 1024 * 1024

/**
 * All text of a result in its order. Text that only repeats the structured content stands for both;
 * structured content that no text says follows the text.
 */
export function documentOf(result: Fields): Document {
  const { structuredContent } = result
  const texts = textsIn(result)
  const text = texts.join('\n\n')
  const parsed = texts.length === 1 ? parseJson(text) : undefined
  if (structuredContent === undefined) return { text, json: parsed, isJson: parsed !== undefined }
  const structured = JSON.stringify(structuredContent)
  const isRepeated = parsed !== undefined && JSON.stringify(parsed) === structured
  if (isRepeated) return { text, json: structuredContent, isJson: true }
  if (wraps(structured, text)) return { text, json: parsed, isJson: parsed !== undefined }
  if (text === '') return { text: structured, json: structuredContent, isJson: true }
  return {
    text: `${text}\n\nstructuredContent:\n${structured}`,
    json: structuredContent,
    isJson: false,
  }
}

/** Room for the key under which a text stands. */
const wrapping = 60

/** Structured content that is the text under some key, as file servers have it. */
function wraps(structured: string, text: string): boolean {
  const quoted = JSON.stringify(text)
  return structured.length <= quoted.length + wrapping && structured.includes(quoted)
}

/** Texts of content and of embedded resources. */
export function textsIn({ content }: Fields): string[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((block: Fields) => {
    if (typeof block?.['text'] === 'string') return [block['text']]
    const { text } = (block?.['resource'] ?? {}) as Fields
    return typeof text === 'string' ? [text] : []
  })
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || text.length > longestJson) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
