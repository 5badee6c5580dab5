import type { Node } from 'web-tree-sitter'
import type { Language } from './language.ts'
import { nameText } from './read-name.ts'

export const go: Language = {
  name: 'go',
  grammar: 'go',
  extensions: ['.go'],
  definitions: {
    function_declaration: { kind: 'function' },
    method_declaration: { kind: 'method', name: methodOfGo },
    type_spec: { kind: 'type', body: 'type' },
    type_alias: { kind: 'type', body: 'type' },
  },
  lists: {
    source_file: true,
    statement_list: true,
    expression_switch_statement: '!value',
    type_switch_statement: '!value',
    select_statement: true,
    field_declaration_list: true,
    interface_type: true,
  },
  wrappers: ['type_declaration'],
  tokens: ['comment', 'raw_string_literal', 'interpreted_string_literal'],
  lexis: { hasPreprocessor: false, hasBackticks: true },
}

/** `func (s *Server[T]) Serve()` is `Server/Serve`. */
function methodOfGo(node: Node): string | undefined {
  const name = nameText(node.childForFieldName('name'))
  const receiver = nameText(node.childForFieldName('receiver'))
  const type = /([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[[^\]]*\])?\s*,?\s*\)$/u.exec(receiver ?? '')?.[1]
  return name && type ? `${type}/${name}` : name
}

export const rust: Language = {
  name: 'rust',
  grammar: 'rust',
  extensions: ['.rs'],
  definitions: {
    function_item: { kind: 'function' },
    function_signature_item: { kind: 'function' },
    struct_item: { kind: 'struct' },
    union_item: { kind: 'struct' },
    enum_item: { kind: 'enum' },
    trait_item: { kind: 'interface' },
    impl_item: { kind: 'impl', name: implementedType },
    mod_item: { kind: 'module', when: { field: 'body', types: ['declaration_list'] } },
    type_item: { kind: 'type', body: 'type' },
    macro_definition: { kind: 'macro' },
  },
  lists: {
    source_file: true,
    block: true,
    declaration_list: true,
    match_block: true,
    field_declaration_list: true,
    enum_variant_list: true,
  },
  wrappers: [],
  tokens: ['line_comment', 'block_comment', 'string_literal', 'raw_string_literal', 'token_tree'],
  lexis: { hasPreprocessor: false, hasLifetimes: true },
}

/** `impl<T> Trait for Type<T>` is `Type`. */
function implementedType(node: Node): string | undefined {
  const type = node.childForFieldName('type')
  return nameText(type?.childForFieldName('type') ?? type)
    ?.split('::')
    .at(-1)
}

export const java: Language = {
  name: 'java',
  grammar: 'java',
  extensions: ['.java'],
  definitions: {
    method_declaration: { kind: 'method' },
    constructor_declaration: { kind: 'constructor' },
    compact_constructor_declaration: { kind: 'constructor' },
    annotation_type_element_declaration: { kind: 'method' },
    class_declaration: { kind: 'class' },
    record_declaration: { kind: 'class' },
    interface_declaration: { kind: 'interface' },
    annotation_type_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
  },
  lists: {
    program: true,
    block: true,
    class_body: true,
    interface_body: true,
    annotation_type_body: true,
    enum_body: true,
    enum_body_declarations: true,
    constructor_body: true,
    switch_block: true,
    switch_block_statement_group: true,
  },
  wrappers: [],
  tokens: ['line_comment', 'block_comment', 'string_literal', 'character_literal'],
  lexis: { hasPreprocessor: false, hasTextBlocks: true },
}

export const csharp: Language = {
  name: 'csharp',
  grammar: 'c_sharp',
  extensions: ['.cs', '.csx'],
  definitions: {
    method_declaration: { kind: 'method' },
    local_function_statement: { kind: 'function' },
    constructor_declaration: { kind: 'constructor' },
    destructor_declaration: {
      kind: 'method',
      name: (node) => `~${nameText(node.childForFieldName('name'))}`,
    },
    operator_declaration: {
      kind: 'method',
      name: (node) => `operator ${nameText(node.childForFieldName('operator'))}`,
    },
    conversion_operator_declaration: {
      kind: 'method',
      name: (node) => `operator ${nameText(node.childForFieldName('type'))}`,
    },
    indexer_declaration: { kind: 'accessor', name: () => 'this[]', body: 'accessors' },
    property_declaration: { kind: 'accessor', body: 'accessors' },
    class_declaration: { kind: 'class' },
    record_declaration: { kind: 'class' },
    struct_declaration: { kind: 'struct' },
    interface_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    delegate_declaration: { kind: 'type' },
    namespace_declaration: { kind: 'module' },
  },
  lists: {
    compilation_unit: true,
    block: true,
    declaration_list: true,
    enum_member_declaration_list: true,
    switch_body: true,
    switch_section: true,
    accessor_list: true,
  },
  wrappers: ['global_statement'],
  tokens: [
    'comment',
    'string_literal',
    'verbatim_string_literal',
    'raw_string_literal',
    'interpolated_string_expression',
    'character_literal',
  ],
  lexis: { hasPreprocessor: true, hasVerbatim: true, hasTextBlocks: true },
}

export const kotlin: Language = {
  name: 'kotlin',
  grammar: 'kotlin',
  extensions: ['.kt', '.kts'],
  definitions: {
    function_declaration: { kind: 'function' },
    class_declaration: { kind: 'class' },
    object_declaration: { kind: 'class' },
    companion_object: {
      kind: 'class',
      name: (node) => nameText(node.childForFieldName('name')) ?? 'Companion',
    },
    secondary_constructor: { kind: 'constructor', name: () => 'constructor' },
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
  wrappers: [],
  tokens: [
    'line_comment',
    'block_comment',
    'string_literal',
    'multiline_string_literal',
    'character_literal',
  ],
  lexis: { hasPreprocessor: false, hasTextBlocks: true },
}

export const scala: Language = {
  name: 'scala',
  grammar: 'scala',
  extensions: ['.scala', '.sc', '.sbt'],
  definitions: {
    function_definition: { kind: 'function' },
    function_declaration: { kind: 'function' },
    class_definition: { kind: 'class' },
    object_definition: { kind: 'class' },
    package_object: { kind: 'class' },
    trait_definition: { kind: 'interface' },
    enum_definition: { kind: 'enum' },
    type_definition: { kind: 'type' },
  },
  lists: {
    compilation_unit: true,
    block: true,
    indented_block: true,
    template_body: true,
    case_block: true,
    indented_cases: true,
    enum_body: true,
  },
  wrappers: [],
  tokens: ['comment', 'block_comment', 'string', 'interpolated_string', 'character_literal'],
}
