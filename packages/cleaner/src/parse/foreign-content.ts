import type { Properties } from 'hast'
import { foreignContent } from 'parse5'
import { wordsOf } from '../tree/word-lists.ts'
import { handOver } from './hand-over.ts'
import type { Schema } from './hast-properties.ts'
import { foreignTagNamed, kind, type Tag } from './tags.ts'
import type { TreeBuilder } from './tree-builder.ts'

/** Elements that may contain HTML; text in them follows the rules of svg and math. */
const integrationPoints = wordsOf('annotation-xml desc foreignObject mi mn mo ms mtext title')

/** The schema of the attributes of a start tag. */
export function schemaOf({ foreignDepth, open }: TreeBuilder, { name }: Tag): Schema {
  const outermost = foreignDepth > 0 ? open.tags[open.tags.length - foreignDepth]?.name : name
  return outermost === 'svg' || outermost === 'math' ? outermost : 'html'
}

/** The start tag of `svg`, of `math`, or of an element inside them. */
export function startForeignTag(
  tree: TreeBuilder,
  { name, kinds }: Tag,
  properties: Properties,
  schema: Schema,
): void {
  const { currentTag } = tree.open
  if (
    tree.foreignDepth > 0 &&
    (kinds & kind.leavesForeign || integrationPoints.has(currentTag.name))
  )
    handOver(`${name} in ${currentTag.name} of ${schema}`)
  const adjusted = schema === 'svg' && foreignContent.SVG_TAG_NAMES_ADJUSTMENT_MAP.get(name)
  const tag = foreignTagNamed(adjusted || name)
  if (tree.scanner.isSelfClosing) tree.append(tag, properties)
  else {
    tree.insert(tag, properties)
    tree.foreignDepth++
  }
}

/** An end tag inside svg or math, where names compare without case. */
export function endForeignTag(tree: TreeBuilder, { name }: Tag): void {
  const { open } = tree
  if (open.currentTag.name.toLowerCase() !== name) handOver(`/${name} in ${open.currentTag.name}`)
  open.pop()
  tree.foreignDepth--
}
