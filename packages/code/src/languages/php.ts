import { type Language, nameText, scopedName } from './language.ts'
import type { Node } from './node.ts'

export const php: Language = {
  name: 'php',
  extensions: ['.php', '.phtml', '.inc', '.php5', '.phps'],
  interpreters: ['php'],
  definitions: {
    function_definition: { kind: 'function' },
    method_declaration: { kind: 'method' },
    class_declaration: { kind: 'class' },
    interface_declaration: { kind: 'interface' },
    trait_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    assignment_expression: {
      kind: 'function',
      name: assignedVariable,
      when: { field: 'right', types: ['anonymous_function', 'arrow_function'] },
      body: 'right',
    },
    // Without braces a namespace extends to the next one, and its members are its siblings.
    namespace_definition: {
      kind: 'module',
      name: scopedName,
      when: { field: 'body', types: ['compound_statement'] },
    },
  },
  lists: {
    program: true,
    compound_statement: true,
    colon_block: true,
    declaration_list: true,
    enum_declaration_list: true,
    switch_block: true,
    match_block: true,
    case_statement: '!value',
    default_statement: true,
  },
  wrappers: ['expression_statement'],
  tokens: [
    'comment',
    'string',
    'encapsed_string',
    'heredoc',
    'nowdoc',
    'text',
    'text_interpolation',
  ],
  interpolated: ['encapsed_string', 'heredoc'],
  values: {
    groups: /^(?:if|try)\b/,
    rules: [
      {
        at: /^(?:(?:public|protected|private|final)\s+)*const\s+(?:\??\w+\s+(?=\w+\s*=))?/,
        kind: 'constant',
      },
      { at: /^define\s*\(\s*['"]/, kind: 'constant', names: 'one' },
      { at: /^case\s+/, kind: 'enum member', place: ['enum'], names: 'one' },
      {
        at: /^(?:(?:public|protected|private|static|readonly|var|final|abstract)\s+)+(?:[?\w\\|&()]+\s+)?\$/,
        kind: 'field',
        place: ['member'],
      },
      { at: /^\$(?=\w+\s*=(?!=))/, kind: 'variable', place: ['top'], names: 'one' },
    ],
  },
}

function assignedVariable(node: Node): string | undefined {
  const target = node.childForFieldName('left')
  return target?.type === 'variable_name' ? nameText(target)?.slice(1) : undefined
}
