import type { Node } from '../languages/node.ts'
import { type Declaration, type DeclaredModule, declarationOf } from './declarations.ts'

/** Definitions in one another. */
const maxDepth = 16

/** The classes and functions of Python, with the strings that document them. */
export function readPython(root: Node): DeclaredModule {
  const declarations = definitionsIn(root, 0)
  return { declarations, exports: [], stars: [], imports: [], hasErrors: root.hasError }
}

function definitionsIn(block: Node, depth: number): Declaration[] {
  if (depth > maxDepth) return []
  return block.namedChildren.flatMap((node): Declaration[] => {
    const inner = node.type === 'decorated_definition' ? node.childForFieldName('definition') : node
    const isClass = inner?.type === 'class_definition'
    if (!inner || (!isClass && inner.type !== 'function_definition'))
      return isGroup.test(node.type) ? definitionsIn(node, depth + 1) : []
    const body = inner.childForFieldName('body')
    return [
      declarationOf(inner.childForFieldName('name')?.text ?? '', isClass ? 'class' : 'function', {
        comment: docstringOf(body),
        members: isClass && body ? definitionsIn(body, depth + 1) : [],
      }),
    ]
  })
}

const isGroup =
  /^(?:if|try|with)_statement$|^(?:block|elif_clause|else_clause|except_clause|finally_clause)$/

/** The string that is the first statement of a body. */
function docstringOf(body: Node | null): string {
  const first = body?.namedChildren.find(({ type }) => type !== 'comment')
  const [expression] = first?.type === 'expression_statement' ? first.namedChildren : []
  return expression?.type === 'string' ? expression.text : ''
}
