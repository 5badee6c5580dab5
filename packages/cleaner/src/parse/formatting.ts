import type { Properties } from 'hast'
import { handOver } from './hand-over.ts'
import { kind, type Tag, tagNamed } from './tags.ts'
import type { ActiveElement, TreeBuilder } from './tree-builder.ts'

/** As many equal formatting elements may be active, then older ones are dropped. */
const maxEqual = 3

const anchor = tagNamed('a')

/** Open the active formatting elements again that were closed by the end of another element. */
export function reconstructFormatting(tree: TreeBuilder): void {
  if (tree.open.hasClosedFormatting) reopenFormatting(tree)
}

function reopenFormatting(tree: TreeBuilder): void {
  const { active, open } = tree
  open.hasClosedFormatting = false
  const isOpen = (entry?: ActiveElement) => !entry || open.elements.includes(entry.element)
  const first = active.findLastIndex(isOpen) + 1
  for (const entry of active.slice(first) as ActiveElement[])
    entry.element = tree.insert(entry.tag, copied(entry.element.properties))
}

function copied(properties: Properties): Properties {
  const copy = { ...properties }
  for (const [name, value] of Object.entries(copy))
    if (Array.isArray(value)) copy[name] = value.slice()
  return copy
}

/** Open a formatting element. An `a` inside an `a` closes the outer one. */
export function startFormatting(tree: TreeBuilder, tag: Tag, properties: Properties): void {
  const { active, open } = tree
  const outer = tag === anchor ? newest(tree, anchor) : undefined
  if (outer) {
    endFormatting(tree, anchor)
    if (open.elements.includes(outer.element)) handOver('a in a')
    remove(tree, outer)
  }
  reconstructFormatting(tree)
  let equal = 0
  for (let index = active.length - 1; active[index]; index--)
    if (active[index]?.tag === tag) equal++
  if (equal === maxEqual) handOver(`${tag.name} inside ${tag.name} ${maxEqual} times`)
  active.push({ element: tree.insert(tag, properties), tag })
}

/** The end tag of a formatting element; almost always of the one that was opened last. */
export function endFormatting(tree: TreeBuilder, tag: Tag): void {
  const { active, open } = tree
  const last = active[active.length - 1]
  if (last?.tag === tag && last.element === open.current) {
    open.popFormatting()
    active.pop()
  } else adopt(tree, tag)
}

/**
 * The adoption agency algorithm, as long as no block was opened inside the element that is still
 * open.
 */
function adopt(tree: TreeBuilder, tag: Tag): void {
  const { active, open } = tree
  const entry = newest(tree, tag)
  if (open.currentTag === tag && !active.some((slot) => slot?.element === open.current)) open.pop()
  else if (!entry) closeAny(tree, tag)
  else {
    const index = open.elements.lastIndexOf(entry.element)
    if (index > 0 && open.topmostOf(kind.scope) > index) return
    if (index > 0 && open.topmostOf(kind.special) > index) handOver(`/${tag.name} over a block`)
    if (index > 0) open.popFrom(index)
    remove(tree, entry)
  }
}

/** The end tag of an element without rules of its own. */
export function closeAny({ open }: TreeBuilder, { name }: Tag): void {
  const index = open.tags.findLastIndex((tag) => tag.name === name)
  if (index > 0 && index >= open.topmostOf(kind.special)) open.popFrom(index)
}

/** The newest entry with the tag after the last marker. */
function newest({ active }: TreeBuilder, tag: Tag): ActiveElement | undefined {
  return active.findLast((entry) => entry === undefined || entry.tag === tag)
}

function remove({ active }: TreeBuilder, entry: ActiveElement): void {
  const index = active.lastIndexOf(entry)
  if (index >= 0) active.splice(index, 1)
}

/** Close an element that has a marker, and all inside it. */
export function closeMarked({ active, open }: TreeBuilder, index: number): void {
  open.popFrom(index)
  while (active.length > 0 && active.pop() !== undefined);
  open.hasClosedFormatting = true
}

const template = tagNamed('template')

/** Close the innermost `template` if there is one. Its content is not part of the tree. */
export function endTemplate(tree: TreeBuilder): void {
  const { open } = tree
  const mode = tree.templateModes.pop()
  if (!mode) return
  const index = open.tags.lastIndexOf(template)
  const element = open.elements[index]
  closeMarked(tree, index)
  if (element) element.children = []
  // The head was opened again for a template behind it.
  if (mode === 'after head') open.pop()
  tree.mode = mode
}
