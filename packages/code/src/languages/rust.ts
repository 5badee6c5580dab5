import { type Language, nameText } from './language.ts'
import type { Node } from './node.ts'

export const rust: Language = {
  name: 'rust',
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
  leads: ['attribute_item'],
  tokens: ['line_comment', 'block_comment', 'string_literal', 'raw_string_literal', 'token_tree'],
  lexis: { hasPreprocessor: false, hasLifetimes: true },
  values: {
    rules: [
      {
        at: /^(?:pub(?:\([^)]*\))?\s+)?(?:const|static)\s+(?:mut\s+)?(?!fn\b|unsafe\b|extern\b|async\b)/,
        kind: 'constant',
        names: 'one',
      },
      {
        at: /^[\w:]+!\s*[{(]/,
        kind: 'constant',
        place: ['top'],
        items:
          /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:const|static)(?:\s+ref|\s+mut)?|struct|enum|union|trait|type|(?:(?:async|unsafe|const)\s+)*fn)\s+(\w+)/gm,
      },
      { at: /^(?=\w)/, kind: 'enum member', place: ['enum'], names: 'one' },
      {
        at: /^(?:pub(?:\([^)]*\))?\s+)?(?=(?:r#)?\w+\s*:(?!:))/,
        kind: 'field',
        place: ['member'],
        names: 'one',
      },
    ],
  },
}

/** `impl<T> Trait for Type<T>` is `Type`. */
function implementedType(node: Node): string | undefined {
  const type = node.childForFieldName('type')
  return nameText(type?.childForFieldName('type') ?? type)
    ?.split('::')
    .at(-1)
}
