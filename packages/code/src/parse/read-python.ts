import type { Node } from '../languages/node.ts'
import { type Declaration, type DeclaredModule, declarationOf } from './declarations.ts'

/** Definitions in one another. */
const maxDepth = 16
/** In characters; longer decorators are not part of a signature. */
const maxDecorators = 40

/** Classes, functions and assignments of Python, with the strings that document them. */
export function readPython(root: Node, source: string): DeclaredModule {
  const declarations = definitionsIn(root, 0, source)
  return { declarations, exports: [], stars: [], imports: [], hasErrors: root.hasError }
}

function definitionsIn(block: Node, depth: number, source: string): Declaration[] {
  if (depth > maxDepth) return []
  const nodes = block.namedChildren
  return nodes.flatMap((node, at): Declaration[] => {
    const inner = node.type === 'decorated_definition' ? node.childForFieldName('definition') : node
    if (inner && /^(?:class|function)_definition$/.test(inner.type))
      return [definitionOf(node, inner, depth, source)]
    if (isGroup.test(node.type)) return definitionsIn(node, depth + 1, source)
    const comment = stringOf(nodes[at + 1]) || markedAbove(nodes[at - 1])
    return valuesIn(node, source).map(([name, signature]) =>
      declarationOf(name, 'value', { signature, comment }),
    )
  })
}

function definitionOf(node: Node, inner: Node, depth: number, source: string): Declaration {
  const isClass = inner.type === 'class_definition'
  const body = inner.childForFieldName('body')
  const decorators = source.slice(node.startIndex, inner.startIndex)
  const head = source.slice(inner.startIndex, body?.startIndex ?? inner.endIndex)
  return declarationOf(
    inner.childForFieldName('name')?.text ?? '',
    isClass ? 'class' : 'function',
    {
      // Comments between the head and the body are no part of it.
      signature: `${decorators.length > maxDecorators ? '' : decorators}${head.slice(0, head.lastIndexOf(':'))}`,
      comment: stringOf(body?.namedChildren.find(({ type }) => type !== 'comment')),
      members: isClass && body ? definitionsIn(body, depth + 1, source) : [],
    },
  )
}

const isGroup =
  /^(?:if|try|with)_statement$|^(?:block|elif_clause|else_clause|except_clause|finally_clause)$/

/** The names that a statement assigns, annotates, or gives to a type. */
function valuesIn(node: Node, source: string): [name: string, signature: string][] {
  const [inner] = node.type === 'expression_statement' ? node.namedChildren : [node]
  const left = inner?.childForFieldName('left') ?? null
  if (!inner || !left || !/^(?:assignment|type_alias_statement)$/.test(inner.type)) return []
  const names = /^(?:pattern|tuple)/.test(left.type) ? left.namedChildren : [left]
  const text = source.slice(inner.startIndex, inner.endIndex)
  return names.flatMap((each): [string, string][] => {
    const [name = ''] = /^[\p{L}_][\p{L}\p{N}_]*/u.exec(each.text) ?? []
    return name === '' || /^[.(]/.test(each.text.slice(name.length)) ? [] : [[name, text]]
  })
}

/** A string that is a statement. */
function stringOf(node: Node | undefined): string {
  const [expression] = node?.type === 'expression_statement' ? node.namedChildren : []
  return /^(?:concatenated_)?string$/.test(expression?.type ?? '') ? (expression?.text ?? '') : ''
}

/** `#: text` above a name. */
const markedAbove = (node: Node | undefined): string =>
  node?.type === 'comment' && node.text.startsWith('#:') ? node.text : ''
