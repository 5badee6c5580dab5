import pLimit from 'p-limit'
import type { Site } from './published-index-reader.ts'
import { readRoaring } from './roaring.ts'
import { stringAt } from './script-text.ts'

/** Location of a column of the index. */
interface Column {
  /** Number of items in each shard, four bits per character. */
  N?: string
  /** Names of the shards, concatenated, in base64. */
  H?: string
  /** Roaring bitmap of the empty items, in base64. */
  E?: string
}

const maxShards = 2_000
const maxConcurrentReads = 6

/** The items of `search.index/`, which rustdoc writes from 1.91 on; undefined if it is missing. */
export async function readShards(
  { text }: Site,
  root: string,
  suffix: string,
  kinds: readonly string[],
): Promise<RustItem[] | undefined> {
  const script = await text(`${root}search.index/root${suffix}.js`)
  const call = script?.indexOf('rr_(') ?? -1
  const json = script && call >= 0 ? stringAt(script, call + 'rr_('.length) : undefined
  if (!json) return undefined
  const columns = JSON.parse(json) as Record<string, Column>
  const read = (name: string) => readColumn(text, `${root}search.index/${name}/`, columns[name])
  const [names, entries, paths, descriptions] = await Promise.all(
    ['name', 'entry', 'path', 'desc'].map(read),
  )
  const pathAt = (at: number) => JSON.parse(paths?.[at] ?? '[0,""]') as [kind: number, path: string]
  const nameAt = (at: number) => names?.[at] ?? ''
  const fullAt = (at: number) => [pathAt(at)[1], nameAt(at)].filter(Boolean).join('::')
  return (entries ?? []).flatMap((entry, at) => {
    if (entry === undefined) return []
    const [, kind = 0, module = 0, , parent = 0] = JSON.parse(entry) as number[]
    const owner = parent > 0 ? parent - 1 : undefined
    return [
      {
        kind: kinds[kind] ?? '',
        name: nameAt(at),
        path: module > 0 ? fullAt(module - 1) : '',
        description: descriptions?.[at] ?? '',
        parent:
          owner === undefined
            ? undefined
            : { kind: kinds[pathAt(owner)[0]] ?? '', name: nameAt(owner) },
      },
    ]
  })
}

async function readColumn(
  text: Site['text'],
  folder: string,
  column: Column | undefined,
): Promise<(string | undefined)[]> {
  if (column?.N === undefined) return []
  const counts = countsIn(column.N).slice(0, maxShards)
  const names = Buffer.from(column.H ?? '', 'base64')
  const width = names.length / counts.length
  const empty = readRoaring(Buffer.from(column.E ?? '', 'base64'))
  const limit = pLimit(maxConcurrentReads)
  const shards = await Promise.all(
    counts.map((_, at) =>
      limit(async () => {
        const name = names.subarray(at * width, (at + 1) * width).toString('hex')
        return itemsIn((await text(`${folder}${name}.js`)) ?? '')
      }),
    ),
  )
  const items: (string | undefined)[] = []
  for (const [at, count] of counts.entries())
    for (let used = 0; used < count; ) {
      if (empty.has(items.length)) items.push(undefined)
      else items.push(shards[at]?.[used++])
    }
  return items
}

function countsIn(packed: string): number[] {
  const counts: number[] = []
  let value = 0
  for (const letter of packed) {
    const code = letter.charCodeAt(0)
    value = value * 16 + (code & 15)
    if (code < 96) continue
    counts.push(value)
    value = 0
  }
  return counts
}

/** Items prefixed by their lengths, or back references to one of the last sixteen. */
function itemsIn(script: string): string[] {
  const literal = stringAt(script, script.indexOf('(') + 1) ?? ''
  const bytes = Buffer.from(literal, script.startsWith('rb_(') ? 'base64' : 'latin1')
  const items: string[] = []
  const recent: string[] = []
  for (let at = 0; at < bytes.length; ) {
    let code = bytes[at] ?? 0
    if (code >= 48 && code < 64) {
      items.push(recent[code - 48] ?? '')
      at++
      continue
    }
    let length = 0
    for (; code < 96 && at < bytes.length; code = bytes[++at] ?? 0)
      length = length * 16 + (code & 15)
    length = length * 16 + (code & 15)
    at++
    const item = bytes.subarray(at, at + length).toString('utf8')
    at += length
    items.push(item)
    recent.unshift(item)
    recent.length = Math.min(recent.length, 16)
  }
  return items
}

export interface RustItem {
  kind: string
  name: string
  path: string
  description: string
  parent?: { kind: string; name: string } | undefined
}
