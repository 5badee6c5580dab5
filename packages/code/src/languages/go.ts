import { type Language, nameText } from './language.ts'
import type { Node } from './node.ts'
import type { SymbolKind } from './symbol-kind.ts'

export const go: Language = {
  name: 'go',
  extensions: ['.go'],
  definitions: {
    function_declaration: { kind: 'function' },
    method_declaration: { kind: 'method', name: methodOfGo },
    type_spec: { kind: kindOfGo, body: 'type' },
    type_alias: { kind: 'type', body: 'type' },
    method_elem: { kind: 'method' },
    var_spec: { kind: 'function', name: closureOfGo, body: 'value' },
    short_var_declaration: { kind: 'function', name: closureOfGo, body: 'right' },
  },
  lists: {
    source_file: true,
    import_spec_list: true,
    const_declaration: true,
    var_spec_list: true,
    type_declaration: true,
    statement_list: true,
    expression_switch_statement: '!value',
    type_switch_statement: '!value',
    select_statement: true,
    field_declaration_list: true,
    interface_type: true,
  },
  wrappers: ['type_declaration', 'var_declaration'],
  tokens: ['comment', 'raw_string_literal', 'interpreted_string_literal'],
  lexis: { hasPreprocessor: false, hasBackticks: true },
  values: {
    groups: /^(?:const|var|type)\b/,
    rules: [
      { at: /^(?=\w)/, kind: 'constant', in: /^const\b/ },
      { at: /^var\s+(?!\()/, kind: 'variable', place: ['top'] },
      { at: /^(?=\w)/, kind: 'variable', in: /^var\s*\(/ },
      { at: /^(?=\w+(?:\s*,\s*\w+)*[ \t]+[^\s`])/, kind: 'field', place: ['member'] },
    ],
  },
}

function kindOfGo(node: Node): SymbolKind {
  const type = node.childForFieldName('type')?.type
  return type === 'interface_type' ? 'interface' : type === 'struct_type' ? 'struct' : 'type'
}

/** `name := func() {…}`, for a single variable. */
function closureOfGo(node: Node): string | undefined {
  const names = node.childForFieldName('left')?.namedChildren ?? node.childrenForFieldName('name')
  const values = node.childForFieldName('right') ?? node.childForFieldName('value')
  const isFunction = values?.namedChildCount === 1 && values.namedChild(0)?.type === 'func_literal'
  return isFunction && names.length === 1 ? nameText(names[0] ?? null) : undefined
}

/** `func (s *Server[T]) Serve()` is `Server/Serve`. */
function methodOfGo(node: Node): string | undefined {
  const name = nameText(node.childForFieldName('name'))
  const receiver = nameText(node.childForFieldName('receiver'))
  const type = /([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[[^\]]*\])?\s*,?\s*\)$/u.exec(receiver ?? '')?.[1]
  return name && type ? `${type}/${name}` : name
}
