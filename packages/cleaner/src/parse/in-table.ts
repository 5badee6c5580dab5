import type { Properties } from 'hast'
import { closeMarked } from './formatting.ts'
import { handOver } from './hand-over.ts'
import { kind, type Tag, tagNamed } from './tags.ts'
import type { TreeBuilder } from './tree-builder.ts'

const body = tagNamed('tbody')
const caption = tagNamed('caption')
const cells = new Set([tagNamed('td'), tagNamed('th')])
const cellContexts = new Set([...cells, caption, tagNamed('table'), tagNamed('template')])
const column = tagNamed('col')
const columnGroup = tagNamed('colgroup')
const row = tagNamed('tr')
const rowGroups = new Set([body, tagNamed('thead'), tagNamed('tfoot')])
const table = tagNamed('table')
const template = tagNamed('template')

/** A start tag directly inside a table, a row group, a row or a column group. */
export function startTagInTable(tree: TreeBuilder, tag: Tag, properties: Properties): void {
  const { open } = tree
  const { kinds, name } = tag
  if (open.currentTag === columnGroup && tag !== column && tag !== template) open.pop()
  if (kinds & kind.tablePart) startTablePart(tree, tag, properties)
  else if (name === 'script' || name === 'style' || tag === template)
    tree.appendMetadata(tag, properties)
  else handOver(`${name} in table`)
}

/** Rows and row groups end where the next one starts, and open where they are missing. */
function startTablePart(tree: TreeBuilder, tag: Tag, properties: Properties): void {
  const { open } = tree
  if (open.currentTag === row && !cells.has(tag)) open.pop()
  if (rowGroups.has(open.currentTag) && !cells.has(tag) && tag !== row) open.pop()
  if (open.currentTag === table) {
    if (tag === column) tree.insert(columnGroup)
    else if (tag === row || cells.has(tag)) tree.insert(body)
  }
  if (cells.has(tag) && open.currentTag !== row) tree.insert(row)
  if (tag === column) tree.append(tag, properties)
  else tree.insert(tag, properties)
  if (tag.kinds & kind.marker) tree.active.push(undefined)
}

/** A part of a table inside a cell or a caption closes it; elsewhere it is ignored. */
export function startTablePartInBody(tree: TreeBuilder, tag: Tag, properties: Properties): void {
  const index = innermostContext(tree)
  if (tree.open.tags[index] === template) handOver(`${tag.name} in template`)
  if (index <= 0) return
  closeMarked(tree, index)
  startTagInTable(tree, tag, properties)
}

/** Index of the innermost cell, caption or template, or -1 without one. */
function innermostContext({ open: { tags } }: TreeBuilder): number {
  const index = tags.findLastIndex((tag) => cellContexts.has(tag))
  if (tags[index] === table) handOver('content in table')
  return index
}

/**
 * An end tag directly inside a table or a part of one. False if the rules of the body apply, which
 * then ignore most end tags.
 */
export function endTagInTable(tree: TreeBuilder, tag: Tag): boolean {
  const { open } = tree
  const { kinds, name } = tag
  if (open.currentTag === columnGroup && name !== 'template') {
    if (tag !== column) open.pop()
    if (tag === column || tag === columnGroup) return true
  }
  if (name === 'p' || name === 'br') handOver(`/${name} in table`)
  if (tag === table) open.popFrom(open.tags.lastIndexOf(table))
  else if (tag === row && open.currentTag === row) open.pop()
  else if (rowGroups.has(tag)) {
    const index = open.tags.lastIndexOf(tag)
    if (index > open.tags.lastIndexOf(table)) open.popFrom(index)
    else if (open.currentTag === row) open.pop()
  }
  return tag === table || (kinds & kind.tablePart) !== 0
}

/** The end tag of a table or of a part of one inside a cell or a caption. */
export function endTablePartInBody(tree: TreeBuilder, tag: Tag): void {
  const { tags } = tree.open
  const index = innermostContext(tree)
  if (index <= 0 || tags[index] === template || tag === column || tag === columnGroup) return
  if (tag !== tags[index]) {
    if (tag === caption || cells.has(tag) || (tags[index] === caption && tag !== table)) return
    // Only the innermost table can be closed.
    if (tags.lastIndexOf(tag) < tags.lastIndexOf(table)) return
  }
  const isContext = tag === tags[index]
  closeMarked(tree, index)
  if (!isContext) endTagInTable(tree, tag)
}
