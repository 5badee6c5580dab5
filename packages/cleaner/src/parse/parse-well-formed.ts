import type { Root } from 'hast'
import { parse, html as standardHtml } from 'parse5'
import { endTagBeforeBody, startBody, startTagBeforeBody, textBeforeBody } from './before-body.ts'
import { endForeignTag, schemaOf, startForeignTag } from './foreign-content.ts'
import { endTemplate, reconstructFormatting } from './formatting.ts'
import { handOver } from './hand-over.ts'
import { endTagInBody, startTagInBody } from './in-body.ts'
import { endTagInSelect, startTagInSelect } from './in-select.ts'
import { endTagInTable, startTagInTable } from './in-table.ts'
import type { ElementBounds } from './parse-with-parse5.ts'
import { Scanner } from './scanner.ts'
import { kind } from './tags.ts'
import { TreeBuilder } from './tree-builder.ts'

/** A tree, and the depth of its deepest element that may have children. */
export interface ParsedDocument {
  root: Root
  depth: number
}

/**
 * Parse a document by the part of the WHATWG algorithm that almost all documents need, to the same
 * tree as `parseWithParse5`.
 *
 * @throws {HandOver} if the document needs anything else, or has more than `maxElements` elements.
 */
export function parseWellFormed(document: string, bounds: ElementBounds): ParsedDocument {
  const scanner = new Scanner(document)
  const tree = new TreeBuilder(scanner, bounds)
  const { source } = scanner
  while (scanner.position < source.length) {
    const lessThan = source.indexOf('<', scanner.position)
    const end = lessThan < 0 ? source.length : lessThan
    if (end > scanner.position) readText(tree, end)
    if (lessThan >= 0) readMarkup(tree, source.charAt(lessThan + 1))
  }
  while (tree.templateModes.length > 0) endTemplate(tree)
  startBody(tree)
  tree.open.popFrom(0)
  return { root: tree.root, depth: tree.open.deepest }
}

const letter = /^[a-z]/i

/** Read what begins with the `<` at the position; `next` is the character behind it. */
function readMarkup(tree: TreeBuilder, next: string): void {
  const { scanner } = tree
  const { position, source } = scanner
  if (letter.test(next)) readStartTag(tree)
  else if (next === '/' && letter.test(source.charAt(position + 2))) readEndTag(tree)
  else if (next === '/' || next === '!' || next === '?') readDeclaration(tree)
  else {
    const end = source.indexOf('<', position + 1)
    readText(tree, end < 0 ? source.length : end)
  }
}

function readText(tree: TreeBuilder, end: number): void {
  const { open } = tree
  let value = tree.scanner.readText(end)
  if (tree.skipsLineFeed && value.startsWith('\n')) value = value.slice(1)
  tree.skipsLineFeed = false
  if (value === '') return
  if (tree.foreignDepth > 0 || tree.mode === 'in select') open.appendText(value)
  else if (tree.mode !== 'in body') textBeforeBody(tree, value)
  else {
    if (!(open.currentTag.kinds & kind.tableStructure)) reconstructFormatting(tree)
    else if (/[^ \t\n\f\r]/.test(value)) handOver('text in table')
    open.appendText(value)
  }
}

function readStartTag(tree: TreeBuilder): void {
  const { open, scanner } = tree
  scanner.position++
  const tag = scanner.readTagName()
  const schema = schemaOf(tree, tag)
  const properties = scanner.readAttributes(schema)
  tree.skipsLineFeed = false
  if (tree.foreignDepth > 0) startForeignTag(tree, tag, properties, schema)
  else if (tree.mode === 'in select') startTagInSelect(tree, tag, properties)
  else if (tree.mode !== 'in body' && !startTagBeforeBody(tree, tag, properties)) return
  else if (open.currentTag.kinds & kind.tableStructure) startTagInTable(tree, tag, properties)
  else startTagInBody(tree, tag, properties)
}

function readEndTag(tree: TreeBuilder): void {
  const { open, scanner } = tree
  scanner.position += 2
  const tag = scanner.readTagName()
  scanner.skipAttributes()
  tree.skipsLineFeed = false
  if (tree.foreignDepth > 0) endForeignTag(tree, tag)
  else if (tree.mode === 'in select') endTagInSelect(tree, tag)
  else if (tree.mode !== 'in body') endTagBeforeBody(tree, tag)
  else if (open.currentTag.kinds & kind.tableStructure && endTagInTable(tree, tag)) return
  else endTagInBody(tree, tag)
}

/** A comment, a doctype, or what is read as a comment. `</>` is nothing at all. */
function readDeclaration(tree: TreeBuilder): void {
  const { scanner } = tree
  const { position, source } = scanner
  scanner.skipDeclaration()
  const declaration = source.slice(position, scanner.position)
  if (declaration !== '</>') tree.skipsLineFeed = false
  if (tree.foreignDepth > 0 && declaration.startsWith('<![')) handOver('CDATA')
  if (tree.mode !== 'initial' || !/^<!doctype/i.test(declaration)) return
  tree.open.append({ type: 'doctype' })
  tree.mode = 'before html'
  const isUsual = /^<!doctype\s+html\s*>$/i.test(declaration)
  tree.isQuirks = !isUsual && parse(declaration).mode === standardHtml.DOCUMENT_MODE.QUIRKS
}
