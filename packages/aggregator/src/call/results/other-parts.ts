import { type JsonObject, jsonOf } from '#servers/protocol/message'
import { blocksIn, readMoreCall } from './document.ts'

/**
 * Models are charged by image size and audio length, not by characters; clients accept a few MB.
 */
const maxMediaLength = 5 * 1024 * 1024
/** Share of the budget for everything that is not text. */
const forOthers = 0.3

/** The parts of a result that are not text, within the budget; the rest is named in notes. */
export interface OtherParts {
  blocks: JsonObject[]
  /** Members of the result other than content. */
  members: JsonObject
  meta: JsonObject
  /** Lines that say how to read what was left out. */
  notes: string[]
  /** Characters of all of it. */
  length: number
}

/** Characters of a result as JSON, without images and audio up to a few MB. */
export function leanLength(result: JsonObject): number {
  const media = mediaLength(result)
  return jsonOf(result).length - (media <= maxMediaLength ? media : 0)
}

function mediaLength(result: JsonObject): number {
  return blocksIn(result)
    .filter(isMedia)
    .reduce((sum, { data }) => sum + String(data).length, 0)
}

function isMedia({ type, data }: JsonObject): boolean {
  return (type === 'image' || type === 'audio') && typeof data === 'string'
}

export function isSmallMedia(block: JsonObject): boolean {
  return isMedia(block) && String(block['data']).length <= maxMediaLength
}

export function otherParts(result: JsonObject, id: string, characters: number): OtherParts {
  const { content: _, structuredContent: __, isError: ___, _meta: meta, ...members } = result
  let budget = Math.floor(characters * forOthers)
  const notes: string[] = []
  const take = (value: unknown, path: string): boolean => {
    const { length } = JSON.stringify(value)
    if (length <= budget) {
      budget -= length
      return true
    }
    notes.push(`[${path}, ${length} characters: ${callFor(id, path)}]`)
    return false
  }
  const retained: OtherParts = {
    blocks: [],
    members: Object.keys(members).length > 0 && take(members, 'members') ? members : {},
    meta: meta !== undefined && take(meta, '_meta') ? (meta as JsonObject) : {},
    notes,
    length: 0,
  }
  takeBlocks(result, retained, id, budget)
  const all = JSON.stringify([
    retained.blocks,
    retained.members,
    retained.meta,
    retained.notes,
  ]).length
  retained.length = all - mediaLength({ content: retained.blocks })
  return retained
}

/** Takes blocks that are not text, in order; those beyond the budget are listed in one note. */
function takeBlocks(
  result: JsonObject,
  retained: OtherParts,
  id: string,
  characters: number,
): void {
  let budget = characters
  let media = maxMediaLength
  const omissions: { index: number; what: string }[] = []
  for (const [index, block] of blocksIn(result).entries()) {
    if (hasText(block)) continue
    const data = isMedia(block) ? String(block['data']).length : 0
    const lean = JSON.stringify(block).length - data
    if (lean <= budget && data <= media) {
      budget -= lean
      media -= data
      retained.blocks.push(block)
    } else omissions.push({ index, what: describe(block) })
  }
  const [first] = omissions
  if (first === undefined) return
  const paths = omissions.map(({ index }) => `content[${index}]`)
  const names = omissions.slice(0, 5).map(({ what, index }) => `content[${index}] ${what}`)
  const more = omissions.length > 5 ? `, … to ${paths.at(-1)}` : ''
  retained.notes.push(
    `[${omissions.length} not shown: ${names.join(', ')}${more}: ${callFor(id, paths[0] ?? '')}]`,
  )
}

const callFor = (id: string, path: string): string =>
  readMoreCall({ result: id, path: `result.${path}` })

function describe(block: JsonObject): string {
  const resource = (block['resource'] ?? {}) as JsonObject
  const data = block['data'] ?? resource['blob']
  const type = String(block['mimeType'] ?? resource['mimeType'] ?? block['type']).slice(0, 60)
  const uri = resource['uri'] ?? block['uri']
  const name = typeof uri === 'string' ? ` ${uri.slice(0, 100)}` : ''
  return typeof data === 'string'
    ? `${type}${name}, ${Math.ceil((data.length * 3) / 4)} bytes`
    : `${type}${name}`
}

const hasText = (block: JsonObject): boolean =>
  typeof block['text'] === 'string' ||
  typeof ((block['resource'] ?? {}) as JsonObject)['text'] === 'string'
