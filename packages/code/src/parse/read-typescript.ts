import type { Node } from '../languages/node.ts'
import {
  type Declaration,
  type DeclaredModule,
  declarationOf,
  type ListedName,
} from './declarations.ts'
import {
  documented,
  maxDepth,
  membersIn,
  objectTypesIn,
  signatureOf,
  textOf,
} from './read-members.ts'

/** The statements of a file or a namespace. */
interface Scope extends Omit<DeclaredModule, 'hasErrors'> {
  /** Declares names without exporting them only if it has a list of exports. */
  isAmbient: boolean
  hasLists: boolean
  /** Exported as the default only. */
  defaults: Set<Declaration>
  depth: number
}

/** What is known of a declaration from what is around it. */
interface Around {
  /** The outermost statement. */
  whole: Node
  comment: string
  isExported: boolean
  isDefault: boolean
  /** The text of the file. */
  source: string
}

/**
 * The declarations of TypeScript; in `isAmbient` files, all names are exported unless lists are.
 * `source` is the text, of which the parser may have seen other words of the same length.
 */
export function readTypescript(root: Node, isAmbient: boolean, source: string): DeclaredModule {
  const scope = readScope(root.namedChildren, isAmbient, 0, source)
  const { declarations, exports, stars, imports } = scope
  for (const { type, text } of root.namedChildren) {
    const [, path] = /^\/\/\/\s*<reference path=["']([^"']+)["']/.exec(text.slice(0, 500)) ?? []
    if (type === 'comment' && path) stars.push(`./${path}`)
  }
  return { declarations, exports, stars, imports, hasErrors: isCut(root) }
}

/** Nodes whose children are statements or members, and what is between them. */
const lists =
  /^(?:program|statement_block|(?:class|interface|enum)_body|object_type|\w*_declaration|(?:export|expression)_statement|(?:internal_)?module)$/

/** The parser failed between declarations: what it does not know in a signature is text of that. */
const isCut = (node: Node, depth = 0): boolean =>
  node.hasError &&
  (node.type === 'ERROR' ||
    depth > 4 * maxDepth ||
    (lists.test(node.type) && node.children.some((child) => isCut(child, depth + 1))))

function readScope(
  statements: readonly Node[],
  isAmbient: boolean,
  depth: number,
  source: string,
): Scope {
  const scope: Scope = {
    ...{ declarations: [], exports: [], stars: [], imports: [] },
    ...{ isAmbient, hasLists: false, defaults: new Set<Declaration>(), depth },
  }
  for (const { node, comment } of documented(statements))
    readStatement(
      node,
      { whole: node, comment, isExported: false, isDefault: false, source },
      scope,
    )
  if (isAmbient && !scope.hasLists)
    for (const each of scope.declarations) each.isExported = !scope.defaults.has(each)
  return scope
}

const has = (node: Node, type: string): boolean =>
  node.children.some((child) => child.type === type)

function readStatement(node: Node, around: Around, scope: Scope): void {
  const { type } = node
  if (type === 'export_statement') readExport(node, around, scope)
  else if (type === 'import_statement') readImport(node, scope)
  else if (type === 'ambient_declaration') readAmbient(node, around, scope)
  else if (type === 'expression_statement') {
    const [inner] = node.namedChildren
    if (inner?.type === 'internal_module') readStatement(inner, around, scope)
  } else if (/^(?:lexical|variable)_declaration$/.test(type)) {
    const [word = ''] = node.text.split(/\s/, 1)
    for (const each of node.namedChildren)
      if (each.type === 'variable_declarator')
        scope.declarations.push(constantOf(each, word, around))
  } else if (/^(?:internal_)?module$/.test(type))
    scope.declarations.push(moduleOf(node, around, scope))
  else {
    const declaration = declarationIn(node, around)
    if (!declaration) return
    scope.declarations.push(declaration)
    if (!around.isDefault || declaration.name === 'default') return
    scope.defaults.add(declaration)
    scope.exports.push({ name: declaration.name, as: 'default' })
  }
}

function readExport(node: Node, around: Around, scope: Scope): void {
  const declared = node.childForFieldName('declaration')
  const isDefault = has(node, 'default')
  const alias = node.namedChildren.find(({ type }) => type === 'import_alias')
  const inner = declared ?? alias
  if (inner) {
    const isExported = !isDefault
    readStatement(inner, { ...around, whole: node, isExported, isDefault }, scope)
    return
  }
  // `export as namespace A` is for scripts.
  if (has(node, 'namespace')) return
  scope.hasLists = true
  const from = textOf(node.childForFieldName('source'))
  const named = (name: string, as: string): ListedName => ({ name, as, ...(from && { from }) })
  const value = node.childForFieldName('value')
  const clause = node.namedChildren.find(({ type }) =>
    /^(?:export_clause|namespace_export)$/.test(type),
  )
  if (clause?.type === 'namespace_export')
    scope.exports.push(named('*', textOf(clause.lastNamedChild)))
  else if (clause) scope.exports.push(...pairsIn(clause).map(([name, as]) => named(name, as)))
  else if (from && has(node, '*')) scope.stars.push(from)
  else if (isDefault && value?.type === 'identifier')
    scope.exports.push({ name: value.text, as: 'default' })
  else if (isDefault && value) {
    const facts = {
      signature: signatureOf(node, undefined, around.source),
      comment: around.comment,
    }
    scope.declarations.push(declarationOf('default', 'value', facts))
  } else {
    const [target] = node.namedChildren.filter(({ type }) => type !== 'comment')
    const [name = ''] = target?.text.split('.') ?? []
    if (name) scope.exports.push({ name, as: 'export=' })
  }
}

/** The names of a list, with those under which they are bound. */
const pairsIn = (clause: Node): [name: string, as: string][] =>
  clause.namedChildren.flatMap((each): [string, string][] => {
    const name = textOf(each.childForFieldName('name'))
    return name ? [[name, textOf(each.childForFieldName('alias')) || name]] : []
  })

function readImport(node: Node, scope: Scope): void {
  const from = textOf(node.childForFieldName('source'))
  for (const part of node.namedChildren) {
    if (part.type === 'import_require_clause') {
      const source = textOf(part.childForFieldName('source'))
      scope.imports.push({ name: 'export=', as: textOf(part.firstNamedChild), from: source })
    }
    for (const each of part.type === 'import_clause' ? part.namedChildren : []) {
      if (each.type === 'identifier') scope.imports.push({ name: 'default', as: each.text, from })
      else if (each.type === 'namespace_import')
        scope.imports.push({ name: '*', as: textOf(each.firstNamedChild), from })
      else for (const [name, as] of pairsIn(each)) scope.imports.push({ name, as, from })
    }
  }
}

/** `declare` before a declaration, or `declare global`. */
function readAmbient(node: Node, around: Around, scope: Scope): void {
  const block = node.namedChildren.find(({ type }) => type === 'statement_block')
  const inner = node.namedChildren.find(({ type }) => type !== 'comment')
  if (has(node, 'global') && block) {
    const facts = { signature: 'declare global', comment: around.comment, isExported: true }
    scope.declarations.push(
      inside(block, scope, declarationOf('global', 'module', facts), around.source),
    )
  } else if (inner) readStatement(inner, around, scope)
}

/** A namespace with what its block declares. */
function inside(block: Node, { depth }: Scope, holder: Declaration, source: string): Declaration {
  if (depth >= maxDepth) return holder
  const { declarations, exports } = readScope(block.namedChildren, true, depth + 1, source)
  return { ...holder, members: declarations, listed: exports }
}

/** `namespace a.b` is one in another. */
function moduleOf(node: Node, around: Around, scope: Scope): Declaration {
  const name = node.childForFieldName('name')
  const body = node.childForFieldName('body')
  const isString = name?.type === 'string'
  const names = isString ? [textOf(name)] : (name?.text.split('.') ?? [])
  const facts = {
    signature: signatureOf(around.whole, body, around.source),
    comment: around.comment,
    // A module of another name adds to what that has.
    isExported: around.isExported || isString,
  }
  const innermost = declarationOf(names.pop() ?? '', 'module', facts)
  let whole = body ? inside(body, scope, innermost, around.source) : innermost
  for (const outer of names.reverse())
    whole = declarationOf(outer, 'module', { ...facts, members: [{ ...whole, isExported: true }] })
  return whole
}

const kinds: Readonly<Record<string, Declaration['kind']>> = {
  ...{ function_signature: 'function', function_declaration: 'function' },
  ...{ generator_function_declaration: 'function', class: 'class', class_declaration: 'class' },
  ...{ abstract_class_declaration: 'class', interface_declaration: 'interface' },
  ...{ enum_declaration: 'enum', type_alias_declaration: 'type', import_alias: 'type' },
}

function declarationIn(
  node: Node,
  { whole, comment, isExported, isDefault, source }: Around,
): Declaration | undefined {
  const kind = kinds[node.type]
  if (!kind) return undefined
  const isAlias = node.type === 'import_alias'
  const name = textOf(isAlias ? node.firstNamedChild : node.childForFieldName('name'))
  const body = node.childForFieldName('body')
  const objects = kind === 'type' ? objectTypesIn(node.childForFieldName('value')) : []
  const bodies = body && kind !== 'function' ? [body] : objects
  return declarationOf(name || (isDefault ? 'default' : ''), kind, {
    signature: signatureOf(whole, body ?? (objects.length === 1 ? objects[0] : undefined), source),
    comment,
    isExported,
    bases: basesOf(node),
    members: bodies.flatMap((each) => membersIn(each, 0, source)),
  })
}

function basesOf(node: Node): string[] {
  const heritage = node.namedChildren.flatMap((child) =>
    child.type === 'class_heritage' ? child.namedChildren : [child],
  )
  return heritage
    .filter(({ type }) => /^(?:extends_clause|extends_type_clause)$/.test(type))
    .flatMap(({ namedChildren }) => namedChildren)
    .filter(({ type }) => !/arguments$|^comment$/.test(type))
    .map((base) => textOf(base.childForFieldName('name')) || base.text)
    .filter((name) => /^[\w$.]+$/.test(name))
}

/** A constant or a variable; its members are those of its object type. */
function constantOf(
  node: Node,
  word: string,
  { comment, isExported, source }: Around,
): Declaration {
  const [type] = node.childForFieldName('type')?.namedChildren ?? []
  const value = node.childForFieldName('value')
  const objects = objectTypesIn(type ?? null)
  const isLong = /function|object|array/.test(value?.type ?? '')
  const end = objects.length === 1 ? objects[0] : isLong ? value : undefined
  return declarationOf(textOf(node.childForFieldName('name')), 'value', {
    signature: `${word} ${signatureOf(node, end, source)}`,
    comment,
    isExported,
    members: objects.flatMap((each) => membersIn(each, 0, source)),
  })
}
