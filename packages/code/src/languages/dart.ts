import { type DefinitionRule, type Language, nameText } from './language.ts'
import type { Node } from './node.ts'
import type { SymbolKind } from './symbol-kind.ts'

/** A signature alone; its body follows it. */
const signature: DefinitionRule = {
  kind: kindOfSignature,
  name: (node) =>
    /^(?:method_signature|declaration)$/.test(node.parent?.type ?? '')
      ? undefined
      : nameOfSignature(node),
  body: bodyBehind,
}

/** A member, in which the signature is. */
const member: DefinitionRule = {
  kind: (node) => kindOfSignature(signatureIn(node) ?? node),
  name: (node) => nameOfSignature(signatureIn(node)),
  body: bodyBehind,
}

/** A variable that holds a function. */
const variable: DefinitionRule = {
  kind: 'function',
  name: (node) =>
    functionIn(node) ? nameText(node.childForFieldName('name') ?? node.firstNamedChild) : undefined,
  body: (node) => functionIn(node)?.childForFieldName('body') ?? null,
}

const typeRule: DefinitionRule = { kind: 'class', name: nameOfType, body: bodyOfType }

export const dart: Language = {
  name: 'dart',
  extensions: ['.dart'],
  interpreters: ['dart'],
  definitions: {
    function_signature: signature,
    getter_signature: signature,
    setter_signature: signature,
    method_signature: member,
    declaration: member,
    initialized_identifier: variable,
    static_final_declaration: variable,
    initialized_variable_definition: variable,
    class_definition: typeRule,
    mixin_declaration: typeRule,
    extension_type_declaration: typeRule,
    enum_declaration: { ...typeRule, kind: 'enum' },
    extension_declaration: {
      // A named one is found by its name, which is not that of the type.
      kind: (node) => (node.childForFieldName('name') ? 'class' : 'extension'),
      name: (node) =>
        nameText(node.childForFieldName('name') ?? node.childForFieldName('class'))?.replace(
          /<.*$/,
          '',
        ),
    },
    type_alias: { kind: 'type', name: nameOfAlias },
  },
  lists: {
    program: true,
    block: true,
    class_body: true,
    extension_body: true,
    enum_body: true,
    switch_block: true,
    switch_statement_case: true,
    switch_statement_default: true,
    // The widgets of Flutter are arguments within arguments.
    arguments: true,
    list_literal: true,
    set_or_map_literal: true,
    switch_expression: '!condition',
  },
  wrappers: [
    'lambda_expression',
    'local_function_declaration',
    'initialized_identifier_list',
    'static_final_declaration_list',
    'declaration',
    'local_variable_declaration',
  ],
  leads: ['annotation'],
  tokens: ['comment', 'documentation_comment', 'string_literal'],
  interpolated: ['string_literal'],
  substitutes: [
    [/^library;/gm, ''],
    [/\babstract(?<=^[ \t]{1,99}abstract)(?=[ \t]+[\w<>?., ]+;)/gm, 'late'],
    [/\b(?!default\b)\w+:(?<=^[ \t]{1,99}\w{1,99}:)(?=\s+(?:await\s+for|for|while|do)\b)/gm, ''],
  ],
  headers:
    /^\s*(?!(?:return|await|yield|throw|new|else|case|assert|export|import|part|library)\b|const\s+[\w.]+\()(?:(?:@\w+(?:\([^)]*\))?|[a-z]+)\s+)*(?:(?<class>class|mixin|enum|extension(?:\s+type)?)\s+|(?:[A-Za-z_][\w.]*(?:<[\w<>?., ]*>)?\??\s+)(?:get\s+|set\s+)?(?!Function\b)(?=\w+\s*(?:<[^>]*>)?\(|\w+\s*(?:=>|\{)))(?<name>\w+)/,
  values: {
    rules: [
      // The grammar has what is before such a name next to it.
      { at: /^(?=\w+\s*=(?![=>]))/, kind: 'variable', place: ['top'] },
      { at: /^(?=\w+\s*(?:[,;({}]|$))/, kind: 'enum member', place: ['enum'], names: 'one' },
      { at: /^(?:@\w+(?:\([^)]*\))?\s+)*(?:static\s+)?const\s+/, kind: 'constant', names: 'last' },
      {
        at: /^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:static|late|external|covariant|abstract)\s+)*(?:final|var)\s+(?=\w+\s*[=;,])/,
        kind: 'variable',
      },
      {
        at: /^(?:@\w+(?:\([^)]*\))?\s+|(?:static|late|external|covariant|abstract|final|var)\s+)*(?!(?:class|import|export|part|library|typedef|extension|mixin|enum|return|factory|get|set|operator)\b)/,
        kind: 'variable',
        names: 'last',
      },
    ],
  },
}

const signatureIn = (node: Node): Node | null =>
  node.namedChildren.find((child) => child?.type.endsWith('_signature')) ?? null

function kindOfSignature(node: Node): SymbolKind {
  if (node.type.includes('constructor')) return 'constructor'
  return /^[gs]etter/.test(node.type) ? 'accessor' : 'function'
}

function nameOfSignature(node: Node | null): string | undefined {
  if (!node) return undefined
  if (node.type === 'operator_signature')
    return /\boperator\s*[^\s(]+/.exec(node.text)?.[0].replace(/^operator\s*/, 'operator ')
  if (!node.type.includes('constructor')) return nameText(node.childForFieldName('name'))
  // `A.named` is `named` in `A`.
  const names = node.namedChildren.filter((child) => child?.type === 'identifier')
  return nameText(names[1] ?? names[0] ?? null)
}

/** The braces of the body behind a signature, or what stands for them. */
function bodyBehind(node: Node): Node | null {
  let next = node.nextNamedSibling
  while (next?.type.includes('comment')) next = next.nextNamedSibling
  return next?.type === 'function_body' ? next : null
}

const functionIn = (node: Node): Node | null =>
  node.lastNamedChild?.type === 'function_expression' ? node.lastNamedChild : null

function nameOfType(node: Node): string | undefined {
  const alias =
    node.firstNamedChild?.type === 'mixin_application_class' ? node.firstNamedChild : node
  const first = alias.namedChildren.find((child) => child?.type === 'identifier')
  return nameText(node.childForFieldName('name') ?? first ?? null)
}

function bodyOfType(node: Node): Node | null {
  const last = node.lastNamedChild
  return last && /_body$/.test(last.type) ? last : null
}

/** `typedef A<B> = …`, or `typedef B A(…)`, where the name is behind the type. */
function nameOfAlias(node: Node): string | undefined {
  const names = node.namedChildren.filter((child) => child?.type === 'type_identifier')
  const isOld = node.lastNamedChild?.type === 'formal_parameter_list'
  return nameText((isOld ? names.at(-1) : names[0]) ?? null)
}
