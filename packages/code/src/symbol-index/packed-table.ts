import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { SymbolKind } from '../languages/symbol-kind.ts'
import { column, rowSize, type SymbolTable } from '../parse/symbol-table.ts'
import { readVarints, VarintWriter } from './varints.ts'

/** Larger tables are not unpacked: the file of the index was not written by us. */
const maxBytes = 64_000_000

/** A table as a blob: differences of positions as varints, then kinds and names, deflated. */
export function packTable({ rows, names, kinds }: SymbolTable): Uint8Array {
  const writer = new VarintWriter()
  let before = 0
  for (let at = 0; at < rows.length; at += rowSize) {
    const value = (place: number): number => rows[at + place] as number
    const start = value(column.start)
    const step = start - before
    before = start
    writer.write(step < 0 ? -step * 2 - 1 : step * 2)
    writer.write(value(column.body) - start)
    writer.write(value(column.end) - value(column.body))
    writer.write(value(column.parent) === 0 ? 0 : at / rowSize + 1 - value(column.parent))
    for (const place of packedAsIs) writer.write(value(place))
  }
  const numbers = writer.bytes()
  const text = Buffer.from(`${kinds.join(',')}\n${names}`)
  const head = Buffer.alloc(4)
  head.writeUInt32LE(numbers.length)
  return deflateRawSync(Buffer.concat([head, numbers, text]), { level: 3 })
}

const packedAsIs = [column.path, column.name, column.number, column.kind, column.tokens] as const

/** @throws for bytes that are no table. */
export function unpackTable(packed: Uint8Array): SymbolTable {
  const bytes = inflateRawSync(packed, { maxOutputLength: maxBytes })
  const end = 4 + bytes.readUInt32LE()
  const numbers = readVarints(bytes.subarray(4, end))
  const text = bytes.toString('utf8', end)
  const newline = text.indexOf('\n')
  const rows = new Uint32Array(numbers.length)
  let before = 0
  for (let at = 0; at < rows.length; at += rowSize) {
    const value = (place: number): number => numbers[at + place] as number
    const step = value(0)
    const start = before + (step % 2 === 1 ? -(step + 1) / 2 : step / 2)
    before = start
    rows[at + column.start] = start
    rows[at + column.body] = start + value(1)
    rows[at + column.end] = start + value(1) + value(2)
    rows[at + column.parent] = value(3) === 0 ? 0 : at / rowSize + 1 - value(3)
    packedAsIs.forEach((place, index) => {
      rows[at + place] = value(4 + index)
    })
  }
  return {
    rows,
    names: text.slice(newline + 1),
    kinds: text.slice(0, newline).split(',').filter(Boolean) as SymbolKind[],
  }
}
