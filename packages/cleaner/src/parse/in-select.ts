import type { Properties } from 'hast'
import { wordsOf } from '../tree/word-lists.ts'
import { handOver } from './hand-over.ts'
import { endTagInBody, startTagInBody } from './in-body.ts'
import { type Tag, tagNamed } from './tags.ts'
import type { TreeBuilder } from './tree-builder.ts'

const option = tagNamed('option')
const optionGroup = tagNamed('optgroup')
const select = tagNamed('select')
const table = tagNamed('table')
const template = tagNamed('template')

/** Controls that end a `select`. */
const controls = wordsOf('input keygen select textarea')
/** Parts of a table that end a `select` inside it. */
const tableParts = wordsOf('caption table tbody td tfoot th thead tr')

/** A start tag inside `select`, where all but a few are ignored: the rule before `selectedcontent`. */
export function startTagInSelect(tree: TreeBuilder, tag: Tag, properties: Properties): void {
  const { open } = tree
  const { name } = tag
  if (name === 'html') handOver('html in select')
  else if (name === 'script' || tag === template) tree.appendMetadata(tag, properties)
  else if (controls.has(name) || endsInTable(tree, tag)) {
    closeSelect(tree)
    if (tag !== select) startTagInBody(tree, tag, properties)
  } else if (tag === option || tag === optionGroup || name === 'hr') {
    if (open.currentTag === option) open.pop()
    if (open.currentTag === optionGroup && tag !== option) open.pop()
    if (name === 'hr') tree.append(tag, properties)
    else tree.insert(tag, properties)
  }
}

/** An end tag inside `select`. */
export function endTagInSelect(tree: TreeBuilder, tag: Tag): void {
  const { open } = tree
  const { tags } = open
  if (tag === select) closeSelect(tree)
  else if (tag === template) endTagInBody(tree, tag)
  else if (tag === option || tag === optionGroup) {
    if (open.currentTag === option && (tag === option || tags.at(-2) === optionGroup)) open.pop()
    if (open.currentTag === optionGroup && tag === optionGroup) open.pop()
  } else if (endsInTable(tree, tag) && tags.lastIndexOf(tag) >= tags.lastIndexOf(table)) {
    closeSelect(tree)
    endTagInBody(tree, tag)
  }
}

function closeSelect(tree: TreeBuilder): void {
  tree.open.popFrom(tree.open.tags.lastIndexOf(select))
  tree.mode = 'in body'
}

const endsInTable = ({ open: { tags } }: TreeBuilder, { name }: Tag): boolean =>
  tableParts.has(name) && tags.lastIndexOf(table) > tags.lastIndexOf(template)
