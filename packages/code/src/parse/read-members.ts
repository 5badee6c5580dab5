import type { Node } from '../languages/node.ts'
import { type Declaration, declarationOf } from './declarations.ts'

/** Namespaces, and object types, in one another. */
export const maxDepth = 16

/** Nodes with the documentation comment before each. */
export function documented(nodes: readonly Node[]): { node: Node; comment: string }[] {
  const list: { node: Node; comment: string }[] = []
  let comment = ''
  for (const node of nodes) {
    if (node.type === 'comment') comment = node.text.startsWith('/**') ? node.text : comment
    else if (node.type !== 'decorator') {
      list.push({ node, comment })
      comment = ''
    }
  }
  return list
}

/** An object type, or those that are all parts of a type. */
export function objectTypesIn(type: Node | null, depth = 0): Node[] {
  if (type?.type === 'object_type') return [type]
  const isPart = /^(?:intersection|parenthesized|readonly)_type$/.test(type?.type ?? '')
  if (!type || !isPart || depth > maxDepth) return []
  return type.namedChildren.flatMap((each) => objectTypesIn(each, depth + 1))
}

/** Members of a class, an interface, an object type or an enumeration. */
export function membersIn(body: Node, depth: number, source: string): Declaration[] {
  return documented(body.namedChildren).flatMap(({ node, comment }): Declaration[] => {
    const name = memberName(node)
    if (name === '') return []
    const modifier = node.namedChildren.find(({ type }) => type === 'accessibility_modifier')
    const isHidden = name.startsWith('#') || /^(?:private|protected)$/.test(modifier?.text ?? '')
    const [type] = node.childForFieldName('type')?.namedChildren ?? []
    const objects = depth < maxDepth ? objectTypesIn(type ?? null) : []
    // The comments in a type are lost in a signature.
    const inner = objects
      .filter((each) => each.text.includes('/**'))
      .flatMap((each) => membersIn(each, depth + 1, source))
    const signature = signatureOf(node, node.childForFieldName('body'), source)
    const member = declarationOf(name, 'value', { signature, comment, isHidden })
    return [member, ...inner.map((each) => ({ ...each, name: `${name}.${each.name}` }))]
  })
}

function memberName(node: Node): string {
  const { type } = node
  if (type === 'call_signature') return '()'
  if (type === 'construct_signature') return 'new'
  if (type === 'index_signature')
    return node.text.slice(0, node.text.indexOf(']') + 1).replace(/^.*\[/s, '[')
  if (/^(?:property_identifier|string|number|computed_property_name)$/.test(type))
    return textOf(node)
  return textOf(node.childForFieldName('name'))
}

/** A text without quotes; empty without a node. */
export const textOf = (node: Node | null | undefined): string =>
  node?.type === 'string' ? node.text.slice(1, -1) : (node?.text ?? '')

/** The text before a body. */
export function signatureOf(node: Node, body: Node | null | undefined, source: string): string {
  const text = source.slice(node.startIndex, body?.startIndex ?? node.endIndex)
  return body?.type === 'object_type' ? `${text}{ … }` : text
}
