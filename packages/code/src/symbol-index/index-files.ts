import { statSync } from 'node:fs'
import { attempt } from '#base/attempt'
import { loadDriver } from '#base/sqlite-driver'
import { openStore, type Prepare } from '#base/sqlite-store'
import { readBytes } from '../access/read-bytes.ts'
import { decodeText, isBinary, stampFrom } from '../access/read-text.ts'
import { documentOf } from '../describe/document.ts'
import { languageOf } from '../languages/all-languages.ts'
import { outlineText } from '../parse/parse-text.ts'
import { namesOf, type Outlines } from '../parse/symbol-table.ts'
import { keyOf } from '../text/each-name.ts'
import { indexSchema, indexVersion, partKey, partsOf } from './database.ts'
import { packTable } from './packed-table.ts'
import { VarintWriter } from './varints.ts'

/** Files to index, and the ids of former states of them. */
export interface IndexBatch {
  database: string
  files: readonly { real: string; path: string }[]
  formerIds: readonly number[]
  /** A file is so long that the memory of the worker is not kept. */
  hasLong: boolean
  maxFileBytes: number
  maxParseBytes: number
  parseTimeoutMs: number
  /** Not 0 once the batch is no longer wanted. */
  stop: Int32Array
}

interface IndexedFile {
  path: string
  stamp: string
  symbols: Uint8Array | null
  variables: Uint8Array | null
}

/** Names of files, with the places of the files in the batch; of words, times 256 plus their byte. */
type Postings = Map<string, number[]>

/** Of a worker, for all its batches. */
let buffer: Buffer | undefined

/** Entry point of the workers of `createIndexBuilder`: indexes a batch in one transaction. */
export default async function indexFiles(batch: IndexBatch): Promise<void> {
  const open = await loadDriver()
  if (!open) throw new Error('There is no SQLite.')
  const files: IndexedFile[] = []
  const definitions: Postings = new Map()
  const words: Postings = new Map()
  buffer ??= Buffer.allocUnsafeSlow(batch.maxFileBytes)
  for (const { real, path } of batch.files) {
    if (Atomics.load(batch.stop, 0) !== 0) return
    const read = await readFile(real, path, buffer, batch)
    if (!read) continue
    const place = files.push(read.file) - 1
    for (const name of new Set(read.names)) add(definitions, name, place)
    for (const [word, byte] of documentOf(read)) add(words, word, place * 256 + byte)
  }
  const store = await openStore({
    open,
    path: batch.database,
    schema: indexSchema,
    version: indexVersion,
  })
  try {
    await store.write((prepare) => {
      const base = insertFiles(prepare, files)
      insertNames(prepare, 'definition', definitions, base)
      insertNames(prepare, 'word', words, base)
      for (const id of batch.formerIds) prepare('DELETE FROM file WHERE id = ?').run(id)
    })
  } finally {
    store.close()
  }
}

/** Undefined for a file that changed too recently or is gone: it is searched as bytes. */
async function readFile(real: string, path: string, buffer: Buffer, limits: IndexBatch) {
  const stats = statSync(real, { bigint: true, throwIfNoEntry: false })
  if (!stats || stampFrom(stats).isFresh) return undefined
  const text = attempt(() => textIn(real, buffer), undefined) ?? ''
  const outlines = await outlinesOf(path, text, limits)
  const file: IndexedFile = {
    path,
    stamp: stampFrom(stats).stamp,
    symbols: outlines ? packTable(outlines.symbols) : null,
    variables: outlines ? packTable(outlines.values) : null,
  }
  const symbols = outlines ? namesOf(outlines.symbols) : []
  const values = outlines ? namesOf(outlines.values) : []
  // Constants are many, and found by a part of their name only if it is asked for (`*part*`).
  const names = [
    ...symbols.flatMap(({ name }) => [keyOf(name), ...partsOf(name).map(partKey)]),
    ...values.map(({ name }) => keyOf(name)),
  ]
  return { file, path, names, symbols, text }
}

function textIn(real: string, buffer: Buffer): string | undefined {
  const { bytes } = readBytes(real, buffer)
  return isBinary(bytes) ? undefined : decodeText(bytes)
}

/** Undefined for a text that cannot be parsed, or not within the limits. */
async function outlinesOf(
  path: string,
  text: string,
  { maxParseBytes, parseTimeoutMs }: IndexBatch,
): Promise<Outlines | undefined> {
  const language = languageOf(path, text)
  if (!language || text === '' || text.length > maxParseBytes) return undefined
  const outcome = await outlineText(text, language, parseTimeoutMs)
  return 'unparsed' in outcome ? undefined : outcome
}

function add(postings: Postings, name: string, place: number): void {
  const places = postings.get(name)
  if (places) places.push(place)
  else postings.set(name, [place])
}

/** The id of the first file. */
function insertFiles(prepare: Prepare, files: readonly IndexedFile[]): number {
  const sql = 'INSERT INTO file (path, stamp, symbols, variables) VALUES (?, ?, ?, ?)'
  const ids = files.map(({ path, stamp, symbols, variables }) =>
    Number(prepare(sql).run(path, stamp, symbols, variables).lastInsertRowid),
  )
  return ids[0] ?? 0
}

/** In the order of the names, in which rows are appended to the table. */
function insertNames(
  prepare: Prepare,
  table: 'definition' | 'word',
  postings: Postings,
  base: number,
): void {
  const insert = prepare(`INSERT INTO ${table} (name, base, files) VALUES (?, ?, ?)`)
  for (const name of [...postings.keys()].sort()) {
    const writer = new VarintWriter()
    let before = 0
    for (const place of postings.get(name) ?? []) {
      writer.write(place - before)
      before = table === 'word' ? place - (place % 256) : place
    }
    insert.run(name, base, writer.bytes())
  }
}
