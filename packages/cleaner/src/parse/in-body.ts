import type { Element, Properties } from 'hast'
import { startForeignTag } from './foreign-content.ts'
import {
  closeAny,
  closeMarked,
  endFormatting,
  endTemplate,
  reconstructFormatting,
  startFormatting,
} from './formatting.ts'
import { handOver } from './hand-over.ts'
import { endTablePartInBody, startTablePartInBody } from './in-table.ts'
import { kind, type Tag, tagNamed } from './tags.ts'
import type { TreeBuilder } from './tree-builder.ts'

const button = tagNamed('button')
const form = tagNamed('form')
const listItem = [tagNamed('li')]
const definitionItems = [tagNamed('dd'), tagNamed('dt')]
/** Special elements between an item and the next one that do not keep it open. */
const passedByItems = new Set([tagNamed('address'), tagNamed('div'), tagNamed('p')])

/** What happens before an element is inserted. False if that was all. */
type Rule = (tree: TreeBuilder, tag: Tag, properties: Properties) => boolean

const rules = new Map<Tag, Rule>()
const addRule = (names: string, rule: Rule) => {
  for (const name of names.split(' ')) rules.set(tagNamed(name), rule)
}

addRule('li', (tree) => closeItem(tree, listItem))
addRule('dd dt', (tree) => closeItem(tree, definitionItems))
addRule('svg math', (tree, tag, properties) => {
  reconstructFormatting(tree)
  startForeignTag(tree, tag, properties, tag.name as 'svg' | 'math')
  return false
})
addRule('table', (tree, tag, properties) => {
  if (!tree.isQuirks) tree.open.closeParagraph()
  tree.insert(tag, properties)
  return false
})
addRule('button', ({ open }) => {
  open.close(button)
  return true
})
addRule('body', ({ open, templateModes }, _, properties) => {
  if (templateModes.length > 0) return false
  const first = open.elements[2] as Element
  for (const name in properties) if (name in first.properties) handOver('body in body')
  Object.assign(first.properties, properties)
  return false
})
addRule('form', (tree, tag, properties) => {
  if (tree.templateModes.length > 0) return true
  if (tree.form) return false
  tree.open.closeParagraph()
  tree.form = tree.insert(tag, properties)
  return false
})
addRule('select', (tree) => {
  tree.mode = 'in select'
  return true
})
addRule('nobr', (tree, tag) => {
  reconstructFormatting(tree)
  if (tree.open.indexInScope(tag) > 0) handOver('nobr in nobr')
  return true
})
addRule('pre listing', (tree) => {
  tree.skipsLineFeed = true
  return true
})
addRule(
  'applet frame frameset head html image marquee option optgroup plaintext rb rp rt rtc xmp',
  (_, { name }) => handOver(`${name} in body`),
)

/** An item closes the one before it, unless it is in a list of its own. */
function closeItem({ open }: TreeBuilder, items: readonly Tag[]): boolean {
  for (let index = open.tags.length - 1; index > 0; index--) {
    const tag = open.tags[index] as Tag
    if (items.includes(tag)) {
      open.popFrom(index)
      break
    }
    if (tag.kinds & kind.special && !passedByItems.has(tag)) break
  }
  open.closeParagraph()
  return true
}

/** A start tag in the body, in a cell or in a caption. */
export function startTagInBody(tree: TreeBuilder, tag: Tag, properties: Properties): void {
  const { kinds } = tag
  const { open } = tree
  if (kinds & kind.tablePart) startTablePartInBody(tree, tag, properties)
  else if (kinds & kind.metadata) tree.appendMetadata(tag, properties)
  else {
    const rule = rules.get(tag)
    if (rule && !rule(tree, tag, properties)) return
    if (kinds & kind.closesParagraph) open.closeParagraph()
    if (kinds & kind.heading && open.currentTag.kinds & kind.heading) open.pop()
    if (!(kinds & (kind.keepsFormattingClosed | kind.formatting))) reconstructFormatting(tree)
    if (kinds & kind.void) tree.append(tag, properties)
    else if (kinds & (kind.rawText | kind.escapableRawText)) tree.appendRawText(tag, properties)
    else if (kinds & kind.formatting) startFormatting(tree, tag, properties)
    else tree.insert(tag, properties)
    if (kinds & kind.marker) tree.active.push(undefined)
  }
}

/** The body stays open to the end; what follows its end tag belongs to it as well. */
const ignoredEnds = new Set(['body', 'html'])

/** An end tag in the body, in a cell or in a caption. */
export function endTagInBody(tree: TreeBuilder, tag: Tag): void {
  const { open } = tree
  const { kinds, name } = tag
  if (kinds & kind.tablePart || name === 'table') endTablePartInBody(tree, tag)
  else if (kinds & kind.formatting) endFormatting(tree, tag)
  else if (kinds & kind.block || name === 'dd' || name === 'dt') open.close(tag)
  else if (name === 'p') {
    // An end tag without its start tag is an empty paragraph.
    if (!open.closeParagraph()) tree.append(tag)
  } else if (name === 'li') open.close(tag, kind.scope | kind.listScope)
  else if (kinds & kind.heading) {
    // The end tag of any heading closes the innermost one.
    const index = open.topmostOf(kind.heading | kind.scope)
    if ((open.tags[index] as Tag).kinds & kind.heading) open.popFrom(index)
  } else if (kinds & kind.marker) {
    const index = open.indexInScope(tag)
    if (index > 0) closeMarked(tree, index)
  } else if (name === 'form') endForm(tree)
  else if (name === 'template') endTemplate(tree)
  else if (name === 'br') startTagInBody(tree, tag, {})
  else if (name === 'applet' || name === 'marquee') handOver(`/${name}`)
  else if (!ignoredEnds.has(name)) closeAny(tree, tag)
}

function endForm(tree: TreeBuilder): void {
  const { form: element, open } = tree
  if (tree.templateModes.length > 0) {
    open.close(form)
    return
  }
  tree.form = undefined
  if (!element || open.indexInScope(form) === 0) return
  while (open.currentTag.kinds & kind.impliedEnd) open.pop()
  if (open.current === element) open.pop()
  else if (open.elements.includes(element)) handOver('/form over another element')
}
