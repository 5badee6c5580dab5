import type { Node } from 'web-tree-sitter'
import { type DefinitionRule, type Language, memberPath, nameText, scopedName } from './language.ts'

const functions = ['arrow_function', 'function_expression', 'generator_function', 'class'] as const

const assigned = (field: string, name: DefinitionRule['name']): DefinitionRule => ({
  kind: 'function',
  ...(name && { name }),
  when: { field, types: functions },
  body: field,
})

/** A key may be a string, also a computed one; comments are not part of it. */
const keyOf = (field: string) => (node: Node) => {
  const key = node.childForFieldName(field)
  const isComputed = key?.type === 'computed_property_name'
  const name = nameText(isComputed ? (key.namedChildren[0] ?? null) : key)
  const text = name?.replace(/^(['"`])(.*)\1$/, '$2')
  return isComputed && text === name && name !== undefined ? `[${name}]` : text
}

/** `{ a: () => a }` only passes a value on. */
function keyOfFunction(node: Node): string | undefined {
  const value = node.childForFieldName('value')
  const body = value?.childForFieldName('body')?.type
  if (body === 'identifier' || body === 'member_expression') return undefined
  const name = keyOf('key')(node)
  // A function's own name is more informative than a number.
  const isNumber = name !== undefined && /^\[?\d/.test(name)
  return isNumber && value?.childForFieldName('name') ? undefined : name
}

const shared: Language['definitions'] = {
  function_declaration: { kind: 'function' },
  generator_function_declaration: { kind: 'function' },
  function_expression: { kind: 'function' },
  generator_function: { kind: 'function' },
  class_declaration: { kind: 'class' },
  class: { kind: 'class' },
  method_definition: { kind: 'method', name: keyOf('name') },
  variable_declarator: assigned('value', undefined),
  assignment_expression: assigned('right', (node) => memberPath(node.childForFieldName('left'))),
  pair: assigned('value', keyOfFunction),
}

const lists: Language['lists'] = {
  program: true,
  statement_block: true,
  class_body: true,
  switch_body: true,
  switch_case: 'body',
  switch_default: 'body',
}

const wrappers = [
  'export_statement',
  'lexical_declaration',
  'variable_declaration',
  'expression_statement',
]
const leads = ['decorator']
const tokens = ['comment', 'string', 'template_string', 'regex', 'html_comment', 'jsx_text']

export const javascript: Language = {
  name: 'javascript',
  extensions: ['.js', '.mjs', '.cjs', '.jsx'],
  interpreters: ['node'],
  definitions: { ...shared, field_definition: assigned('value', keyOf('property')) },
  lists,
  wrappers,
  leads,
  tokens,
  interpolated: ['template_string'],
}

const typed: Pick<
  Language,
  'definitions' | 'lists' | 'wrappers' | 'leads' | 'tokens' | 'interpolated'
> = {
  definitions: {
    ...shared,
    public_field_definition: assigned('value', keyOf('name')),
    function_signature: { kind: 'function', isPrototype: true },
    method_signature: { kind: 'method', name: keyOf('name'), isPrototype: true },
    abstract_method_signature: { kind: 'method', name: keyOf('name') },
    abstract_class_declaration: { kind: 'class' },
    interface_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    type_alias_declaration: { kind: 'type', body: 'value' },
    internal_module: { kind: 'module', name: scopedName },
    module: { kind: 'module', name: keyOf('name') },
  },
  lists: { ...lists, interface_body: true, enum_body: true, object_type: true },
  wrappers: [...wrappers, 'ambient_declaration'],
  leads,
  tokens: [...tokens, 'template_literal_type'],
  interpolated: ['template_string', 'template_literal_type'],
}

export const typescript: Language = {
  name: 'typescript',
  extensions: ['.ts', '.mts', '.cts'],
  interpreters: ['tsx', 'ts-node', 'deno', 'bun'],
  ...typed,
}

export const tsx: Language = { name: 'tsx', extensions: ['.tsx'], ...typed }
