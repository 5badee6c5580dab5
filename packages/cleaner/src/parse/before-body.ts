import type { Properties } from 'hast'
import { wordsOf } from '../tree/word-lists.ts'
import { reconstructFormatting } from './formatting.ts'
import { handOver } from './hand-over.ts'
import { kind, type Tag, tagNamed } from './tags.ts'
import type { TreeBuilder } from './tree-builder.ts'

// The insertion modes from "initial" to "after head". Each step goes on to the next mode unless the
// document is further already.

const html = tagNamed('html')
const head = tagNamed('head')
const body = tagNamed('body')

function startHtml(tree: TreeBuilder, properties?: Properties): void {
  if (tree.mode !== 'initial' && tree.mode !== 'before html') return
  tree.insert(html, properties)
  tree.mode = 'before head'
}

function startHead(tree: TreeBuilder, properties?: Properties): void {
  startHtml(tree)
  if (tree.mode !== 'before head') return
  tree.head = tree.insert(head, properties)
  tree.mode = 'in head'
}

function leaveNoscript(tree: TreeBuilder): void {
  if (tree.mode !== 'in head noscript') return
  tree.open.pop()
  tree.mode = 'in head'
}

function leaveHead(tree: TreeBuilder): void {
  startHead(tree)
  leaveNoscript(tree)
  if (tree.mode === 'in head') tree.open.pop()
  tree.mode = 'after head'
}

/** Add everything that the document leaves out before its body, and the body. */
export function startBody(tree: TreeBuilder, properties?: Properties): void {
  if (tree.mode === 'in body' || tree.mode === 'in select') return
  leaveHead(tree)
  tree.insert(body, properties)
  tree.mode = 'in body'
}

/** Text before the body: white space stays where it is, anything else starts the body. */
export function textBeforeBody(tree: TreeBuilder, value: string): void {
  const rest = value.search(/[^ \t\n\f\r]/)
  const whiteSpace = rest < 0 ? value : value.slice(0, rest)
  const { mode } = tree
  if (mode !== 'initial' && mode !== 'before html' && mode !== 'before head' && whiteSpace !== '')
    tree.open.appendText(whiteSpace)
  if (whiteSpace === value) return
  startBody(tree)
  // A marker inside a template in the head leaves what is in front of it active.
  reconstructFormatting(tree)
  tree.open.appendText(value.slice(rest))
}

const inNoscript = wordsOf('basefont bgsound link meta noframes style')

/** True if the token belongs to the body, which has been started. */
export function startTagBeforeBody(tree: TreeBuilder, tag: Tag, properties: Properties): boolean {
  const { name } = tag
  if (name === 'frameset') handOver(name)
  if (tag === html && tree.mode !== 'initial' && tree.mode !== 'before html')
    handOver('second html')
  startHtml(tree, tag === html ? properties : {})
  if (tag === html) return false
  if (tag === head && tree.mode !== 'before head') handOver('second head')
  startHead(tree, tag === head ? properties : {})
  if (tag === head) return false
  if (tree.mode === 'in head noscript' && name === 'noscript') return false
  if (!inNoscript.has(name)) leaveNoscript(tree)
  if (tag.kinds & kind.metadata) {
    appendMetadata(tree, tag, properties)
    return false
  }
  if (tree.mode === 'in head' && name === 'noscript') {
    tree.insert(tag, properties)
    tree.mode = 'in head noscript'
    return false
  }
  startBody(tree, tag === body ? properties : {})
  return tag !== body
}

/** Metadata behind the head belongs into the head all the same. */
function appendMetadata(tree: TreeBuilder, tag: Tag, properties: Properties): void {
  const behind = tree.mode === 'after head' ? tree.head : undefined
  if (behind) tree.open.push(behind, head)
  tree.appendMetadata(tag, properties)
  if (behind && tag.name !== 'template') tree.open.pop()
}

/** End tags that have no start tag are ignored, except those of what may be left out. */
export function endTagBeforeBody(tree: TreeBuilder, tag: Tag): void {
  if (tree.mode === 'initial') tree.mode = 'before html'
  if (tag.name === 'br') handOver('/br')
  if (tree.mode === 'in head noscript') {
    if (tag.name === 'noscript') leaveNoscript(tree)
  } else if (tag === head) {
    if (tree.mode !== 'after head') leaveHead(tree)
  } else if (tag === body || tag === html) startBody(tree)
}
