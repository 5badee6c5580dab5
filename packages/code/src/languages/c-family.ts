import {
  type DefinitionRule,
  declaratorName,
  type Language,
  maxHeaderLength,
  nameOfArguments,
  nameText,
  qualifiedPath,
  scopedName,
} from './language.ts'
import type { Node } from './node.ts'

const typeRule = (kind: DefinitionRule['kind']): DefinitionRule => ({
  kind,
  name: (node) => qualifiedPath(nameText(node.childForFieldName('name'))),
  when: { field: 'body', types: ['field_declaration_list', 'enumerator_list'] },
})

const definitions: Language['definitions'] = {
  function_definition: {
    kind: 'function',
    name: (node) => nameInMacro(node) ?? declaratorName(node),
  },
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

/** `FN(name) {…}` and `int FN(name)(int a) {…}`; a constructor in a class is no macro. */
function nameInMacro(node: Node): string | undefined {
  const body = node.childForFieldName('body')
  if (!body || node.parent?.type === 'field_declaration_list') return undefined
  const header = node.text.slice(0, Math.min(maxHeaderLength, body.startIndex - node.startIndex))
  const list =
    /^(?:(?:static|inline|extern)\s+)*[A-Z][A-Z\d_]*\s*\(([^()]*)\)\s*$/.exec(header)?.[1] ??
    /^[\w\s*]{0,200}\b[A-Z][A-Z\d_]*\((\w+)\)\s*\(/.exec(header)?.[1]
  return list === undefined ? undefined : nameOfArguments(list)
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

const macro = '[A-Z][A-Z\\d_]{2,60}(?:[ \\t]?\\([^()\\n]{0,120}\\))?'
const type = '[A-Za-z_][\\w:]{0,120}(?:<[^;{}()\\n]{0,120}>)?'

/** A comment before the mark that continues a macro, at which the grammar ends it. */
const comments: NonNullable<Language['substitutes']>[number] = [
  /\/\*(?:[^*\n]|\*(?!\/)){0,1000}\*\/(?=[ \t]*\\\r?$)/gm,
  '',
]

/** `FLAG(int, a, 1);`, and `PRAGMA(a)` on a line before a definition. */
const statements: NonNullable<Language['substitutes']>[number] = [
  /^[A-Z][A-Z\d_]{2,60}\((?:[^()\n]|\([^()\n]*\)){0,300}\)(?:;|[ \t]*$(?=\s+(?:\/\/[^\n]*\s+){0,50}(?:template|class|struct|enum|namespace|using|typedef|inline|constexpr|static|#)))/gm,
  '',
]

/** Macros that are attributes, or statements by themselves. */
const substitutes: Language['substitutes'] = [
  comments,
  statements,
  // `class EXPORT A {`
  [
    new RegExp(
      `\\b(?=[A-Z][A-Z\\d_])(?<=\\b(?:class|struct|union|enum)[ \\t]{1,9})${macro}(?=\\s+${type}\\s*(?:final\\s*)?(?:\\{|:(?!:)[^;(){}]{0,300}\\{))`,
      'g',
    ),
    '',
  ],
  // `EXPORT int f(`, `EXPORT A::A(`, `EXPORT a(…) : b(…)`, `BEGIN_NAMESPACE namespace`
  [
    new RegExp(
      `\\b(?=[A-Z][A-Z\\d_])(?<=(?:^|[>"]|\\b(?:static|inline|virtual|friend|constexpr|extern|explicit))[ \\t]{0,99})${macro}(?=\\s+(?:(?:template|namespace|class|struct|enum|using|typedef|static|inline|virtual|extern|friend|auto|explicit|constexpr|const|void)\\b|(?!(?:return|else|case|new|delete|throw)\\b)(?:${type}[\\s*&]+[\\w:~]+\\s*\\(|(\\w+)(?:<[^;{}()\\n]{0,120}>)?::~?\\1\\s*\\(|\\w+\\([^;{}]{0,300}\\)[^;{}()]{0,40}:\\s*\\w+[({])))`,
      'gm',
    ),
    '',
  ],
  // `void f() NOEXCEPT {`, `int f() const LOCKS(a) {`
  [
    new RegExp(
      `(?<=\\)(?:\\s{0,9}(?:const|noexcept|override|final))?\\s{0,99}[ \\t])\\b${macro}(?:\\s+${macro})?(?=\\s*(?:\\{|(?:override|final)\\b|:\\s*[\\w:]+[({]|=\\s*(?:0|default|delete)\\s*;))`,
      'g',
    ),
    '',
  ],
]

const values: Language['values'] = {
  directives: /^[ \t]*#[ \t]*define[ \t]+(\w+)(?![\w(])/gm,
  groups:
    /^(?:#\s*(?:if|el)|extern\s*"C|(?:(?:typedef|static|const|volatile|extern)\s+)*(?:struct|union|enum|namespace)\b|inline\s+namespace\b)/,
  rules: [
    { at: /^(?=\w+\s*(?:[=,}/(]|$))/, kind: 'enum member', place: ['enum'], names: 'one' },
    { at: /^typedef\s[^;{}]*\{/, kind: 'type', names: 'behind' },
    { at: /^typedef\s+/, kind: 'type', names: 'last' },
    {
      at: /^(?:(?:static|const|volatile|mutable)\s+)*(?:struct|union|enum|class)\b[^;(){}=]*\{/,
      kind: 'variable',
      names: 'behind',
    },
    {
      at: /^(?!(?:extern|friend|using|template|static_assert|namespace|return|goto|public|private|protected)\b|(?:class|struct|union|enum)\s+(?:class\s+)?[\w:]+\s*(?:;|$)|#)(?:(?:static|inline|constexpr|const|volatile|mutable|thread_local)\s+)*/,
      kind: 'variable',
      names: 'last',
    },
  ],
}

export const c: Language = {
  name: 'c',
  extensions: ['.c', '.h'],
  definitions,
  lists,
  tokens,
  lexis: { hasPreprocessor: true, hasFunctions: true },
  substitutes: [comments, statements],
  values,
}

export const cpp: Language = {
  name: 'cpp',
  extensions: [
    ...[
      '.cc',
      '.cpp',
      '.cxx',
      '.c++',
      '.hh',
      '.hpp',
      '.hxx',
      '.h++',
      '.ipp',
      '.inl',
      '.tpp',
      '.txx',
    ],
    ...['.tcc', '.ixx', '.cppm', '.mpp', '.cu', '.cuh', '.ino', '.pde'],
  ],
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
  substitutes,
  values,
}
