import { type Language, nameText, scopedName } from './language.ts'
import type { Node } from './node.ts'

export const scala: Language = {
  name: 'scala',
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
    given_definition: { kind: 'class', name: nameOfGiven },
    package_clause: {
      kind: 'module',
      name: scopedName,
      when: { field: 'body', types: ['template_body'] },
    },
    val_definition: {
      kind: 'function',
      name: 'pattern',
      when: { field: 'value', types: ['lambda_expression'] },
      body: 'value',
    },
  },
  lists: {
    compilation_unit: true,
    block: true,
    indented_block: true,
    template_body: true,
    with_template_body: true,
    extension_definition: 'body',
    case_clause: 'body',
    case_block: true,
    indented_cases: true,
    enum_body: true,
  },
  tokens: ['comment', 'block_comment', 'string', 'interpolated_string', 'character_literal'],
  interpolated: ['interpolated_string'],
  values: {
    rules: [
      {
        at: /^(?:@\w+(?:\([^)]*\))?\s+|[a-z]+(?:\[\w+\])?\s+)*?va[lr]\s+(?=[\w`])/,
        kind: 'variable',
      },
      { at: /^case\s+/, kind: 'enum member', place: ['enum'] },
    ],
  },
}

/** An anonymous given is named after its type. */
function nameOfGiven(node: Node): string | undefined {
  return nameText(node.childForFieldName('name') ?? node.childForFieldName('return_type'))
}
