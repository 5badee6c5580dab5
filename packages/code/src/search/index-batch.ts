import { lstatSync } from 'node:fs'
import type { Roots } from '../access/roots.ts'
import { maxKeptLength } from '../parse/parse-pool.ts'
import type { IndexBatch } from '../symbol-index/index-files.ts'
import type { SymbolIndex } from '../symbol-index/symbol-index.ts'

/** Files to index. `left` are the files of `total` that were not indexed before them. */
export type Batch = Pick<IndexBatch, 'files' | 'formerIds' | 'hasLong'> & {
  left: number
  total: number
}

/** What a worker indexes at once, in files and bytes of source. */
const batchFiles = 800
const batchBytes = 8_000_000

/** Takes files of a queue, from its end, that no other process has indexed since. */
export function takeBatch(
  queue: string[],
  index: SymbolIndex,
  roots: Roots,
): Pick<Batch, 'files' | 'hasLong'> {
  const files: Batch['files'][number][] = []
  for (let bytes = 0; queue.length > 0 && files.length < batchFiles; ) {
    const real = queue.at(-1) as string
    const path = roots.nameOf(real)
    const size = lstatSync(real, { throwIfNoEntry: false })?.size ?? 0
    const isLong = size > maxKeptLength
    bytes += size
    if (files.length > 0 && (isLong || bytes > batchBytes)) break
    queue.pop()
    if (index.fresh(real, path)) continue
    files.push({ real, path })
    if (isLong) return { files, hasLong: true }
  }
  return { files, hasLong: false }
}
