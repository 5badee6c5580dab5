import type { Node } from 'web-tree-sitter'

const maxNameLength = 120

/** The text of a name, on one line. */
export const nameText = (node: Node | null): string | undefined =>
  node ? node.text.replace(/\s+/g, ' ').slice(0, maxNameLength) || undefined : undefined

/** Keywords that an erroneous tree contains as function names. */
const isControl = /^(?:if|else|for|while|do|switch|case|catch|return|sizeof|defined)$/

/** Type words that precede parentheses in declarations of function pointers. */
export const isTypeWord = (word: string): boolean =>
  /^(?:void|int|char|short|long|float|double|unsigned|signed|const|struct|union|enum)$/.test(word)

/** Name of a function that returns a function pointer: `void (*name(int))(void)`. */
export const nameBehindPointer = (header: string): string | undefined =>
  /\(\s*\*+\s*(\w+)\s*\(/.exec(header)?.[1]

/** Characters of a header that are searched for a name. */
export const maxHeaderLength = 2_000

/** The name inside nested C declarators: pointers, parentheses, arrays. */
export function declaratorName(node: Node): string | undefined {
  let at = node.childForFieldName('declarator')
  let isFunction = false
  for (let depth = 0; at && depth < 32; depth++) {
    if (at.type === 'function_declarator') isFunction = true
    if (at.type === 'operator_cast') return `operator ${nameText(at.childForFieldName('type'))}`
    const inner: Node | null =
      at.childForFieldName('declarator') ??
      (/_declarator$/.test(at.type) ? at.firstNamedChild : null)
    if (!inner) break
    at = inner
  }
  if (!at || !isFunction || isControl.test(at.text)) return undefined
  if (isTypeWord(at.text)) return nameBehindPointer(node.text.slice(0, maxHeaderLength))
  return qualifiedPath(nameText(at))
}

/** `::A<T>::b` becomes `A/b`; `operator<` is unchanged. */
export function qualifiedPath(name: string | undefined): string | undefined {
  const [, scope = '', operator = ''] = /^(.*?)(\boperator\b.*)?$/s.exec(name ?? '') ?? []
  let plain = scope
  for (let before = ''; before !== plain; ) {
    before = plain
    plain = plain.replace(/\s*<[^<>]*>/g, '')
  }
  const parts = [...plain.split('::'), operator.replace(/\s+(?=\W)/g, '')]
  return parts.filter((part) => part.trim() !== '').join('/') || undefined
}

/** `a.b.c`, `A.prototype.b`, `M:f`, `M["f"]` as name paths. */
export function memberPath(node: Node | null): string | undefined {
  const parts = nameText(node)
    ?.replace(/\[\s*(["'])([\w$-]+)\1\s*\]/g, '.$2')
    .split(/[.:]/)
    .map((part) => part.trim())
  return parts?.filter((part) => part !== 'prototype' && part !== 'this' && part !== '').join('/')
}

/** Name of a module or type: `A.B`, `A::B` and `A\B` as name paths. */
export const scopedName = (node: Node): string | undefined =>
  nameText(node.childForFieldName('name'))
    ?.split(/\s*(?:::|[.\\])\s*/)
    .filter((part) => part !== '')
    .join('/')
