import type { Fields } from '../upstream/connection.ts'

/** Images and sounds cost a model by their size on screen and in time; clients take a few MB. */
const longestMedia = 5 * 1024 * 1024
/** Other data reach a model as letters. */
const longestBlob = 20_000

export interface BareResult {
  /** No block is too large. */
  isWhole: boolean
  /** The blocks without text, those too large replaced by the call that gives them. */
  blocksFor(id: string): Fields[]
}

export function withoutLargeBlocks({ content }: Fields): BareResult {
  const blocks: Fields[] = Array.isArray(content) ? content : []
  return {
    isWhole: !blocks.some(isLarge),
    blocksFor: (id) =>
      blocks.flatMap((block, index) => {
        if (isLarge(block)) return [standIn(block, id, index)]
        return isText(block) ? [] : [block]
      }),
  }
}

const isText = (block: Fields): boolean =>
  typeof block['text'] === 'string' || typeof resourceOf(block)['text'] === 'string'

function isLarge(block: Fields): boolean {
  if (typeof block['data'] === 'string') return block['data'].length > longestMedia
  const { blob, mimeType } = resourceOf(block)
  if (typeof blob !== 'string') return false
  return blob.length > (/^(?:image|audio)\//.test(String(mimeType)) ? longestMedia : longestBlob)
}

function standIn(block: Fields, id: string, index: number): Fields {
  const resource = resourceOf(block)
  const data = String(block['data'] ?? resource['blob'])
  const type = String(block['mimeType'] ?? resource['mimeType'] ?? block['type'])
  const name = typeof resource['uri'] === 'string' ? ` ${resource['uri']}` : ''
  const call = `read_more(${JSON.stringify({ result: id, path: `content[${index}]` })})`
  const text = `[${type}${name}, ${Math.ceil((data.length * 3) / 4)} bytes, not shown: ${call}]`
  return { type: 'text', text }
}

const resourceOf = (block: Fields): Fields => (block['resource'] ?? {}) as Fields
