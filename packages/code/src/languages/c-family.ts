import type { Node } from 'web-tree-sitter'
import {
  type DefinitionRule,
  declaratorName,
  type Language,
  nameText,
  qualifiedPath,
  scopedName,
} from './language.ts'

const typeRule = (kind: DefinitionRule['kind']): DefinitionRule => ({
  kind,
  name: (node) => qualifiedPath(nameText(node.childForFieldName('name'))),
  when: { field: 'body', types: ['field_declaration_list', 'enumerator_list'] },
})

const definitions: Language['definitions'] = {
  function_definition: { kind: 'function', name: declaratorName },
  declaration: { kind: 'function', name: prototypeName, isPrototype: true },
  struct_specifier: typeRule('struct'),
  union_specifier: typeRule('struct'),
  enum_specifier: typeRule('enum'),
  type_definition: {
    kind: 'type',
    name: typeName,
    body: (node) => node.childForFieldName('type')?.childForFieldName('body') ?? null,
  },
  preproc_function_def: { kind: 'macro', body: 'value' },
}

/** `int f(int);`, but not a variable. */
function prototypeName(node: Node): string | undefined {
  const declarator = node.childForFieldName('declarator')
  const isFunction =
    declarator?.type === 'function_declarator' || declarator?.type === 'pointer_declarator'
  return isFunction ? declaratorName(node) : undefined
}

/** Name of a `typedef` of an anonymous type. */
function typeName(node: Node): string | undefined {
  const type = node.childForFieldName('type')
  if (!type?.childForFieldName('body') || type.childForFieldName('name')) return undefined
  return nameText(node.childForFieldName('declarator'))
}

const lists: Language['lists'] = {
  translation_unit: true,
  compound_statement: true,
  case_statement: '!value',
  declaration_list: true,
  field_declaration_list: true,
  enumerator_list: true,
  preproc_if: '!condition',
  preproc_ifdef: '!name',
  preproc_else: true,
  preproc_elif: '!condition',
}

const tokens = ['comment', 'string_literal', 'char_literal', 'preproc_def']

export const c: Language = {
  name: 'c',
  extensions: ['.c', '.h'],
  definitions,
  lists,
  tokens,
  lexis: { hasPreprocessor: true, hasFunctions: true },
}

export const cpp: Language = {
  name: 'cpp',
  extensions: ['.cc', '.cpp', '.cxx', '.c++', '.hh', '.hpp', '.hxx', '.h++', '.ipp', '.inl', '.cu'],
  definitions: {
    ...definitions,
    class_specifier: typeRule('class'),
    namespace_definition: { kind: 'module', name: scopedName },
    concept_definition: { kind: 'type' },
    alias_declaration: { kind: 'type' },
    field_declaration: { kind: 'method', name: declaratorName, isPrototype: true },
  },
  lists,
  wrappers: ['template_declaration'],
  tokens: [...tokens, 'raw_string_literal'],
  lexis: { hasPreprocessor: true, hasFunctions: true, hasRawStrings: true },
}
