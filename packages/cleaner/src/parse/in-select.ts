import type { Properties } from 'hast'
import { handOver } from './hand-over.ts'
import { endTagInBody, startTagInBody } from './in-body.ts'
import { kind, type Tag, tagNamed } from './tags.ts'
import { endTemplate } from './template.ts'
import type { TreeBuilder } from './tree-builder.ts'

const hr = tagNamed('hr')
const option = tagNamed('option')
const optionGroup = tagNamed('optgroup')
const select = tagNamed('select')
const table = tagNamed('table')
const template = tagNamed('template')

/** Controls that end a `select`. */
const controls = new Set('input keygen select textarea'.split(' '))
/** Parts of a table that do not end a `select` inside it. */
const columns = new Set('col colgroup'.split(' '))

/** A start tag inside `select`, where all but a few are ignored: the rule before `selectedcontent`. */
export function startTagInSelect(tree: TreeBuilder, tag: Tag, properties: Properties): void {
  const { open } = tree
  const { name } = tag
  if (name === 'html') handOver('html in select')
  else if (name === 'script' || tag === template) tree.appendMetadata(tag, properties)
  else if (controls.has(name) || (isOfTable(tag) && isInTable(tree))) {
    closeSelect(tree)
    if (tag !== select) startTagInBody(tree, tag, properties)
  } else if (tag === option || tag === optionGroup || tag === hr) {
    if (open.currentTag === option) open.pop()
    if (open.currentTag === optionGroup && tag !== option) open.pop()
    if (tag === hr) tree.append(tag, properties)
    else tree.insert(tag, properties)
  }
}

/** An end tag inside `select`. */
export function endTagInSelect(tree: TreeBuilder, tag: Tag): void {
  const { open } = tree
  const { tags } = open
  if (tag === select) closeSelect(tree)
  else if (tag === template) endTemplate(tree)
  else if (tag === option) {
    if (open.currentTag === option) open.pop()
  } else if (tag === optionGroup) {
    if (open.currentTag === option && tags.at(-2) === optionGroup) open.pop()
    if (open.currentTag === optionGroup) open.pop()
  } else if (
    isOfTable(tag) &&
    isInTable(tree) &&
    tags.lastIndexOf(tag) >= tags.lastIndexOf(table)
  ) {
    closeSelect(tree)
    endTagInBody(tree, tag)
  }
}

function closeSelect(tree: TreeBuilder): void {
  tree.open.popFrom(tree.open.tags.lastIndexOf(select))
  tree.mode = 'in body'
}

const isOfTable = ({ kinds, name }: Tag): boolean =>
  name === 'table' || ((kinds & kind.tablePart) !== 0 && !columns.has(name))

const isInTable = ({ open: { tags } }: TreeBuilder): boolean =>
  tags.lastIndexOf(table) > tags.lastIndexOf(template)
