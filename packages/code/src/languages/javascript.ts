import { type DefinitionRule, type Language, memberPath, nameText, scopedName } from './language.ts'
import type { Node } from './node.ts'

const functions: readonly string[] = [
  'arrow_function',
  'function_expression',
  'generator_function',
  'class',
]
/** `f as T` in TypeScript. */
const casts: readonly string[] = [
  'parenthesized_expression',
  'as_expression',
  'satisfies_expression',
]
/** Calls that return what they make of a function's results, not a function. */
const isForData =
  /(?:\.(?:map|filter|flatMap|find\w*|some|every|reduce\w*|forEach|sort|toSorted|then|catch|finally|replace\w*|from)|^set(?:Timeout|Interval|Immediate))$/
/** Calls within calls are searched this deep. */
const maxCalls = 8

/** The function that a value is, or that is given to the call that makes it: `memo(() => …)`. */
function functionIn(value: Node | null | undefined, depth = 0): Node | undefined {
  if (!value || depth > maxCalls) return undefined
  const { type } = value
  if (functions.includes(type)) return depth === 0 || !isHandedOn(value) ? value : undefined
  if (casts.includes(type)) return functionIn(value.firstNamedChild, depth)
  if (type !== 'call_expression') return undefined
  const called = value.childForFieldName('function')
  const list = value.childForFieldName('arguments')
  // A template string may be given, too.
  if (!called || list?.type !== 'arguments' || isForData.test(called.text.slice(-40)))
    return undefined
  for (const argument of list.namedChildren) {
    const inner = functionIn(argument, depth + 1)
    if (inner) return inner
  }
  return undefined
}

const assigned = (
  field: string,
  name: (node: Node) => string | undefined = (node) => nameText(node.childForFieldName('name')),
): DefinitionRule => {
  const heldBy = (node: Node) => functionIn(node.childForFieldName(field)) ?? null
  return {
    kind: 'function',
    name: (node) => (heldBy(node) ? name(node) : undefined),
    body: heldBy,
  }
}

/** Values that are no mere names or literals. */
const isMade = /^(?:arrow_function|generator_function|class|object|(?!member)\w+_expression)$/

/** `export default` of what has no name. */
const defaultExport: DefinitionRule = {
  kind: (node) => {
    const type = node.childForFieldName('value')?.type
    return type === 'class' ? 'class' : type === 'object' ? 'module' : 'function'
  },
  name: (node) => {
    const isDefault = node.children.some((child) => child?.type === 'default')
    return isDefault && isMade.test(node.childForFieldName('value')?.type ?? '')
      ? 'default'
      : undefined
  },
  body: (node) => {
    const value = node.childForFieldName('value')
    return functionIn(value) ?? value
  },
}

/** A key may be a string, also a computed one; comments are not part of it. */
const keyOf = (field: string) => (node: Node) => {
  const key = node.childForFieldName(field)
  const isComputed = key?.type === 'computed_property_name'
  const name = nameText(isComputed ? (key.namedChildren[0] ?? null) : key)
  const text = name?.replace(/^(['"`])(.*)\1$/, '$2')
  return isComputed && text === name && name !== undefined ? `[${name}]` : text
}

/** `{ a: () => a }` only passes a value on. */
function isHandedOn(value: Node): boolean {
  const body = value.childForFieldName('body')?.type
  return body === 'identifier' || body === 'member_expression'
}

function keyOfFunction(node: Node): string | undefined {
  const value = node.childForFieldName('value')
  if (value && isHandedOn(value)) return undefined
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
  variable_declarator: assigned('value'),
  assignment_expression: assigned('right', (node) => memberPath(node.childForFieldName('left'))),
  pair: {
    kind: 'function',
    name: keyOfFunction,
    when: { field: 'value', types: functions },
    body: 'value',
  },
  export_statement: defaultExport,
}

const lists: Language['lists'] = {
  program: true,
  object: true,
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

const modifiers =
  '(?:(?:public|private|protected|static|readonly|declare|override|abstract|accessor)\\s+)*'

/** `const { a } = require('b')` is an import. */
const isRequired =
  '(?:[\\w$]+|\\{[^{}]*\\})\\s*=\\s*(?:await\\s+)?(?:require|import)\\s*\\([^()]*\\)\\s*(?:;|$)'

const values: Language['values'] = {
  groups:
    /^(?:declare\s+(?:global|module|namespace)\b|(?:export\s+)?const\s+[\w$]+\s*=\s*\{|module\.exports\s*=\s*\{)/,
  rules: [
    {
      at: new RegExp(`^(?:export\\s+)?(?:declare\\s+)?const\\s+(?!enum\\b|${isRequired})`),
      kind: 'constant',
      place: ['top'],
    },
    // Codes of errors and the like, each made by a call.
    {
      at: /^['"]?(?=[\w$-]+['"]?\s*:\s*(?:new\s+)?[\w$.]+(?:<[^<>]*>)?\()/,
      kind: 'constant',
      place: ['top'],
      in: /^(?:(?:export\s+)?const|module\.exports)\b/,
      names: 'one',
    },
    { at: /^(?:export\s+)?(?:declare\s+)?(?:let|var)\s+/, kind: 'variable', place: ['top'] },
    {
      at: /^(?:module\.)?exports\.(?=[\w$]+\s*=(?!=))/,
      kind: 'variable',
      place: ['top'],
      names: 'one',
    },
    { at: /^(?=['"]?[\w$])['"]?/, kind: 'enum member', place: ['enum'], names: 'one' },
    {
      at: new RegExp(
        `^(?:@[\\w.]+(?:\\([^)]*\\))?\\s+)*${modifiers}(?:(?=#?[\\w$]+\\s*[?!]?\\s*(?:[:=;,}\\n]|$))|['"](?=[^'"\\n]+['"]\\??:))`,
      ),
      kind: 'field',
      place: ['member'],
      names: 'one',
    },
  ],
}

export const javascript: Language = {
  name: 'javascript',
  extensions: ['.js', '.mjs', '.cjs', '.jsx', '.es6', '.jsm'],
  interpreters: ['node'],
  definitions: { ...shared, field_definition: assigned('value', keyOf('property')) },
  lists,
  wrappers,
  leads,
  tokens,
  interpolated: ['template_string'],
  values,
}

const typed: Pick<
  Language,
  'definitions' | 'lists' | 'wrappers' | 'leads' | 'tokens' | 'interpolated' | 'values'
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
  values,
}

export const typescript: Language = {
  name: 'typescript',
  extensions: ['.ts', '.mts', '.cts'],
  interpreters: ['tsx', 'ts-node', 'deno', 'bun'],
  ...typed,
}

export const tsx: Language = { name: 'tsx', extensions: ['.tsx'], ...typed }
