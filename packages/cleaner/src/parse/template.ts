import { closeMarked } from './formatting.ts'
import { tagNamed } from './tags.ts'
import type { TreeBuilder } from './tree-builder.ts'

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
