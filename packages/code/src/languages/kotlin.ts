import { type Language, nameText } from './language.ts'
import type { Node } from './node.ts'
import type { SymbolKind } from './symbol-kind.ts'

export const kotlin: Language = {
  name: 'kotlin',
  extensions: ['.kt', '.kts'],
  definitions: {
    function_declaration: { kind: 'function', name: nameOfKotlin, body: bodyOfKotlin },
    class_declaration: { kind: kindOfKotlin, name: nameOfKotlin, body: bodyOfKotlin },
    object_declaration: { kind: 'class', name: nameOfKotlin, body: bodyOfKotlin },
    companion_object: {
      kind: 'class',
      name: (node) => nameOfKotlin(node) ?? 'Companion',
      body: bodyOfKotlin,
    },
    secondary_constructor: { kind: 'constructor', name: () => 'constructor', body: bodyOfKotlin },
    property_declaration: { kind: kindOfProperty, name: nameOfProperty, body: valueOfProperty },
    type_alias: { kind: 'type', name: (node) => nameText(node.childForFieldName('type')) },
  },
  lists: {
    source_file: true,
    block: true,
    class_body: true,
    enum_class_body: true,
    lambda_literal: true,
    when_expression: true,
  },
  // Behind an annotation, the grammar takes `enum class A {` and the like for an expression.
  substitutes: [
    [
      /(?<![\w`@])@(?:[a-z]+:)?[A-Z][\w.]*(?:<[^<>()\n]{0,200}>)?(?:\((?:[^()"]|"(?:[^"\\\n]|\\.){0,1000}"|\([^()]{0,300}\)){0,1000}\))?(?=\s+(?:(?:@|\/\/)[^\n]*\s+){0,9}(?:[a-z]+\s+)?(?:(?:actual|expect|data|annotation|inner|value|enum)\s+(?:[a-z]+\s+)?(?:class|interface|object|va[lr])\b|class\s+\w+\s+[a-z]+\s+constructor\b))/g,
      '',
    ],
  ],
  leads: ['annotated_expression'],
  tokens: [
    'line_comment',
    'block_comment',
    'string_literal',
    'multiline_string_literal',
    'character_literal',
  ],
  interpolated: ['string_literal', 'multiline_string_literal'],
  headers:
    /^\s*(?:(?:@\w+(?:\([^)]*\))?|[a-z]+)\s+)*(?:fun\s+(?:<[^>]*>\s*)?(?:[\w<>?, *]+\.)*|(?<class>class|interface|object)\s+)`?(?<name>\w(?:[\w ]*\w)?)/,
  values: {
    rules: [
      {
        at: /^(?:@[\w.:]+(?:\([^)]*\))?\s+|[a-z]+\s+)*?const\s+val\s+/,
        kind: 'constant',
        names: 'one',
      },
      {
        at: /^(?:@[\w.:]+(?:\([^)]*\))?\s+|[a-z]+\s+)*?va[lr]\s+(?:<[^>]*>\s*)?(?:[\w<>?*, ]+\.(?=\w))?/,
        kind: 'variable',
        names: 'one',
        hasCapitals: true,
      },
      {
        at: /^(?:@\w+(?:\([^)]*\))?\s+)*(?=[A-Za-z_]\w*\s*(?:[,;({]|$))(?!init\b)/,
        kind: 'enum member',
        place: ['enum'],
        names: 'one',
      },
    ],
  },
}

function nameOfKotlin(node: Node): string | undefined {
  return nameText(node.childForFieldName('name'))?.replace(/^`(.*)`$/, '$1')
}

function bodyOfKotlin(node: Node): Node | null {
  const last = node.lastNamedChild
  return last && /^(?:function_body|(?:enum_)?class_body|block)$/.test(last.type) ? last : null
}

function kindOfKotlin(node: Node): SymbolKind {
  if (node.children.some((child) => child?.type === 'interface')) return 'interface'
  return node.lastNamedChild?.type === 'enum_class_body' ? 'enum' : 'class'
}

/** A function that a property holds, or its getter or setter. */
function valueOfProperty(node: Node): Node | null {
  return (
    node.namedChildren.find((child) =>
      /^(?:lambda_literal|anonymous_function|getter|setter)$/.test(child?.type ?? ''),
    ) ?? null
  )
}

function kindOfProperty(node: Node): SymbolKind {
  return /^[gs]etter$/.test(valueOfProperty(node)?.type ?? '') ? 'accessor' : 'function'
}

function nameOfProperty(node: Node): string | undefined {
  const variable = node.namedChildren.find((child) => child?.type === 'variable_declaration')
  return variable && valueOfProperty(node) ? nameText(variable.namedChild(0)) : undefined
}
