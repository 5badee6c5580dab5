import { type Language, nameText } from './language.ts'
import type { Node } from './node.ts'
import type { SymbolKind } from './symbol-kind.ts'

export const swift: Language = {
  name: 'swift',
  extensions: ['.swift'],
  interpreters: ['swift'],
  definitions: {
    function_declaration: { kind: kindOfFunction, name: nameOfFunction },
    protocol_function_declaration: { kind: kindOfFunction, name: nameOfFunction },
    deinit_declaration: { kind: 'method', name: () => 'deinit' },
    subscript_declaration: { kind: 'accessor', name: () => 'subscript', body: computedValue },
    property_declaration: { kind: kindOfProperty, name: nameOfProperty, body: valueOfProperty },
    protocol_property_declaration: {
      kind: 'accessor',
      name: (node) => boundName(node.childForFieldName('name')),
    },
    class_declaration: { kind: kindOfType, name: nameOfType },
    protocol_declaration: { kind: 'interface' },
    typealias_declaration: { kind: 'type' },
  },
  lists: {
    source_file: true,
    statements: true,
    class_body: true,
    enum_class_body: true,
    protocol_body: true,
    switch_statement: '!expr',
  },
  tokens: [
    'comment',
    'multiline_comment',
    'line_string_literal',
    'multi_line_string_literal',
    'raw_string_literal',
  ],
  interpolated: ['line_string_literal', 'multi_line_string_literal', 'raw_string_literal'],
  // The grammar is of 2023: of those that npm has, later ones fail at `#if` within a type.
  substitutes: [
    [/~(?=(?:Copyable|Escapable|BitwiseCopyable)\b)/g, ''],
    [
      /#(?=[A-Za-z_])(?!(?:if|elseif|else|endif|(?:un)?available|selector|keyPath|file|fileID|filePath|line|column|function|dsohandle|\w+Literal|sourceLocation|warning|error)\b)/g,
      '_',
    ],
    [/\b(?:__|)(?:consuming|borrowing)(?=[ \t]+func\b)/g, 'mutating'],
    [/\b(?:__owned|__shared|borrowing|consuming|sending|isolated)(?=[ \t]+[\w([@])/g, ''],
    [/\b(?:unsafe|consume)(?=[ \t]+[A-Za-z_]\w*\b(?![ \t]*:))/g, 'try'],
    [/\bpackage(?=[ \t]+(?:[a-z]+(?:\(set\))?[ \t]+[\w`(]|(?:init|subscript)\b))/g, 'public'],
    [/\(unsafe\)(?<=\bnonisolated\(unsafe\))/g, ''],
    [/\([ \t]*\)(?<=@\w{1,99}\([ \t]{0,9}\))/g, ''],
    [/\((?<=(?:\bthrows|@_?lifetime)\()[^()]{0,200}\)/g, ''],
    [/\bawait\b(?<=\btry[?!]?[ \t]{1,9}await)/g, ''],
    [/\btry\b(?<=\bin[ \t]{1,9}try)/g, ''],
    [/\bany(?=[ \t]+[\w.]+\)\.self\b)/g, ''],
    // An expression that is a statement too, after the variable that it is the value of.
    [/[ \t]=(?=\s+(?:switch|if)\b)/g, ';'],
    // An empty tuple as a value.
    [/\(\)(?<=(?:[(,:=]|\b(?:in|return))[ \t]?\(\))(?=[ \t]*[,)}\n])/g, '0'],
    [/\(\)(?<=^[ \t]{1,99}\(\))(?![ \t]*(?:->|=))/gm, '0'],
    // Strings with quotation marks.
    [/(?<![\w"#\\])#"(?!"")[^\n]{0,300}?"#/g, '""'],
    [/#(?=""")|#(?<="""#)|\\#(?=\()/g, ''],
    [/,(?=\s*[)\]>])/g, ''],
  ],
  headers:
    /^\s*(?:(?:@\w+(?:\([^)]*\))?|[a-z]+(?:\(\w+\))?)\s+)*(?:func\s+|(?<class>class|struct|enum|protocol|extension|actor)\s+(?:\w+\.)*|(?=(?:init[?!]?\s*[(<]|deinit\s*\{|subscript\s*[(<])))`?(?<name>\w+|[-+*/%=<>!&|^~?]+)/,
  values: {
    groups: /^#if/,
    rules: [
      { at: /^(?:indirect\s+)?case\s+/, kind: 'enum member', place: ['enum'] },
      {
        at: /^(?:@\w+(?:\([^)]*\))?\s+|[a-z]+(?:\(\w+\))?\s+)*?(?:let|var)\s+/,
        kind: 'variable',
      },
    ],
  },
}

function kindOfFunction(node: Node): SymbolKind {
  return node.childForFieldName('name')?.type === 'init' ? 'constructor' : 'function'
}

function nameOfFunction(node: Node): string | undefined {
  return unquoted(nameText(node.childForFieldName('name')))
}

const unquoted = (name: string | undefined): string | undefined => name?.replace(/^`(.*)`$/, '$1')

const kinds: Readonly<Record<string, SymbolKind>> = {
  struct: 'struct',
  enum: 'enum',
  extension: 'extension',
}

function kindOfType(node: Node): SymbolKind {
  return kinds[node.childForFieldName('declaration_kind')?.text ?? ''] ?? 'class'
}

/** `extension A.B<C>` is `A/B`, and `extension [C]` is `Array`. */
function nameOfType(node: Node): string | undefined {
  const type = node.childForFieldName('name')
  if (type?.type === 'array_type') return 'Array'
  if (type?.type === 'dictionary_type') return 'Dictionary'
  if (type?.type === 'optional_type') return 'Optional'
  return unquoted(
    nameText(type)
      ?.replace(/<.*$/, '')
      .split(/\s*\.\s*/)
      .join('/'),
  )
}

/** The accessors of a property, also those behind its first value, or a function that it holds. */
function valueOfProperty(node: Node): Node | null {
  const computed = computedValue(node)
  if (computed) return computed
  const value = node.childForFieldName('value')
  return value?.type === 'lambda_literal' ? value : observersOf(value)
}

function computedValue(node: Node): Node | null {
  return node.namedChildren.find((child) => child?.type === 'computed_property') ?? null
}

/** `= 1 { didSet {…} }`, which the grammar takes for a call. */
function observersOf(value: Node | null): Node | null {
  const block = value?.lastNamedChild?.lastNamedChild
  return block?.type === 'lambda_literal' && /^\{[^{}"]*\b(?:will|did)Set\b/.test(block.text)
    ? block
    : null
}

function kindOfProperty(node: Node): SymbolKind {
  return node.childForFieldName('value')?.type === 'lambda_literal' ? 'function' : 'accessor'
}

function nameOfProperty(node: Node): string | undefined {
  return valueOfProperty(node) ? boundName(node.childForFieldName('name')) : undefined
}

const boundName = (pattern: Node | null): string | undefined =>
  unquoted(nameText(pattern?.childForFieldName('bound_identifier') ?? null))
