import type { Language } from './language.ts'
import { nameText, scopedName } from './read-name.ts'

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
    event_declaration: { kind: 'accessor', body: 'accessors' },
    namespace_declaration: { kind: 'module', name: scopedName },
  },
  lists: {
    compilation_unit: true,
    block: true,
    declaration_list: true,
    enum_member_declaration_list: true,
    switch_body: true,
    switch_section: true,
    accessor_list: true,
    switch_expression: '!value',
    preproc_if: '!condition',
    preproc_elif: '!condition',
    preproc_else: true,
  },
  wrappers: ['global_statement'],
  leads: ['preproc_region', 'preproc_endregion'],
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
