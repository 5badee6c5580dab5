import type { Fields } from '../../protocol/message.ts'
import { blocksIn } from './document.ts'

/** Images and sounds cost a model by their size on screen and in time; clients take a few MB. */
const longestMedia = 5 * 1024 * 1024
/** Of the room, for all that is not text. */
const forOthers = 0.3

/** What of a result is not its text, as far as there is room; the rest is named. */
export interface OtherParts {
  blocks: Fields[]
  /** Members of the result that are not content. */
  members: Fields
  meta: Fields
  /** Lines that say how to get what was left out. */
  said: string[]
  /** Characters that all of it takes. */
  length: number
}

/** What a result takes as it is sent, without what is seen or heard, up to a few MB of that. */
export function leanLength(result: Fields): number {
  const media = mediaLength(result)
  return JSON.stringify(result).length - (media <= longestMedia ? media : 0)
}

function mediaLength(result: Fields): number {
  return blocksIn(result)
    .filter(isMedia)
    .reduce((sum, { data }) => sum + String(data).length, 0)
}

function isMedia({ type, data }: Fields): boolean {
  return (type === 'image' || type === 'audio') && typeof data === 'string'
}

export function isSmallMedia(block: Fields): boolean {
  return isMedia(block) && String(block['data']).length <= longestMedia
}

export function otherParts(result: Fields, id: string, characters: number): OtherParts {
  const { content: _, structuredContent: __, isError: ___, _meta: meta, ...members } = result
  let room = Math.floor(characters * forOthers)
  const said: string[] = []
  const take = (value: unknown, path: string): boolean => {
    const { length } = JSON.stringify(value)
    if (length <= room) {
      room -= length
      return true
    }
    said.push(`[${path}, ${length} characters: ${callFor(id, path)}]`)
    return false
  }
  const kept: OtherParts = {
    blocks: [],
    members: Object.keys(members).length > 0 && take(members, 'members') ? members : {},
    meta: meta !== undefined && take(meta, '_meta') ? (meta as Fields) : {},
    said,
    length: 0,
  }
  takeBlocks(result, kept, id, room)
  const all = JSON.stringify([kept.blocks, kept.members, kept.meta, kept.said]).length
  kept.length = all - mediaLength({ content: kept.blocks })
  return kept
}

/** The blocks that are no text, in order; those for which there is no room are named together. */
function takeBlocks(result: Fields, kept: OtherParts, id: string, characters: number): void {
  let room = characters
  let media = longestMedia
  const left: { index: number; what: string }[] = []
  for (const [index, block] of blocksIn(result).entries()) {
    if (hasText(block)) continue
    const data = isMedia(block) ? String(block['data']).length : 0
    const lean = JSON.stringify(block).length - data
    if (lean <= room && data <= media) {
      room -= lean
      media -= data
      kept.blocks.push(block)
    } else left.push({ index, what: describe(block) })
  }
  const [first] = left
  if (first === undefined) return
  const paths = left.map(({ index }) => `content[${index}]`)
  const names = left.slice(0, 5).map(({ what, index }) => `content[${index}] ${what}`)
  const more = left.length > 5 ? `, … to ${paths.at(-1)}` : ''
  kept.said.push(
    `[${left.length} not shown: ${names.join(', ')}${more}: ${callFor(id, paths[0] ?? '')}]`,
  )
}

const callFor = (id: string, path: string): string =>
  `read_more(${JSON.stringify({ result: id, path: `result.${path}` })})`

function describe(block: Fields): string {
  const resource = (block['resource'] ?? {}) as Fields
  const data = block['data'] ?? resource['blob']
  const type = String(block['mimeType'] ?? resource['mimeType'] ?? block['type']).slice(0, 60)
  const uri = resource['uri'] ?? block['uri']
  const name = typeof uri === 'string' ? ` ${uri.slice(0, 100)}` : ''
  return typeof data === 'string'
    ? `${type}${name}, ${Math.ceil((data.length * 3) / 4)} bytes`
    : `${type}${name}`
}

const hasText = (block: Fields): boolean =>
  typeof block['text'] === 'string' ||
  typeof ((block['resource'] ?? {}) as Fields)['text'] === 'string'
