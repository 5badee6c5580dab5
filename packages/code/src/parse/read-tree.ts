import type { Language as Grammar, Node, Tree, TreeCursor } from 'web-tree-sitter'
import { type DefinitionRule, type Language, nameText } from '../languages/language.ts'
import { lineStartOver } from '../text/lines.ts'
import type { Definition, ParsedTree } from './parsed.ts'

/** The rules of a language, indexed by the node types of its grammar. */
interface Rules {
  definitions: (DefinitionRule | undefined)[]
  /** 0: not a list; 1: all children; else a field that children have, or, if negative, lack. */
  lists: Int32Array
  isWrapper: Uint8Array
  isToken: Uint8Array
  isLead: Uint8Array
  isNamed: Uint8Array
}

const everyChild = 1
/** Field ids are offset to leave room for the special values. */
const firstField = 2

function compileRules(grammar: Grammar, language: Language): Rules {
  const count = grammar.nodeTypeCount
  const rules: Rules = {
    definitions: new Array(count),
    lists: new Int32Array(count),
    isWrapper: new Uint8Array(count),
    isToken: new Uint8Array(count),
    isLead: new Uint8Array(count),
    isNamed: new Uint8Array(count),
  }
  const wrappers = new Set(language.wrappers)
  const tokens = new Set(language.tokens)
  const leads = new Set(language.leads)
  for (let id = 0; id < count; id++) {
    const type = grammar.nodeTypeForId(id)
    if (type === null || !grammar.nodeTypeIsNamed(id)) continue
    rules.isNamed[id] = 1
    rules.definitions[id] = language.definitions[type]
    rules.isWrapper[id] = wrappers.has(type) ? 1 : 0
    rules.isToken[id] = tokens.has(type) ? 1 : 0
    rules.isLead[id] = leads.has(type) || type.includes('comment') ? 1 : 0
    rules.lists[id] = listCode(grammar, language.lists[type])
  }
  return rules
}

function listCode(grammar: Grammar, rule: true | string | undefined): number {
  if (rule === undefined) return 0
  if (rule === true) return everyChild
  const isExcluded = rule.startsWith('!')
  const field = grammar.fieldIdForName(isExcluded ? rule.slice(1) : rule)
  if (field === null) return isExcluded ? everyChild : 0
  return isExcluded ? -(field + firstField) : field + firstField
}

interface Span {
  start: number
  end: number
}

const compiled = new WeakMap<Grammar, Rules>()

/** Type id of a syntax error. */
const errorType = 65_535

/** More deeply nested definitions are ignored. */
const maxDepth = 24
/** In characters; definitions with a longer name path are ignored. */
const maxPathLength = 400

/** Number of nodes between checks of the time limit. */
const nodesPerLook = 2 ** 15

/**
 * Extract the syntax of a file in one walk over the tree; undefined if `isOver` returns true.
 * Linear in the number of nodes, without recursion.
 */
export function readTree(
  tree: Tree,
  text: string,
  grammar: Grammar,
  language: Language,
  isOver: () => boolean,
): ParsedTree | undefined {
  const rules = compiled.get(grammar) ?? compileRules(grammar, language)
  compiled.set(grammar, rules)
  const cursor = tree.walk()
  try {
    return walk(cursor, text, rules, isOver)
  } finally {
    cursor.delete()
  }
}

function walk(
  cursor: TreeCursor,
  text: string,
  rules: Rules,
  isOver: () => boolean,
): ParsedTree | undefined {
  const collected: Found = { definitions: [], depths: [], lengths: [] }
  const { definitions } = collected
  const units: number[] = []
  const leads: number[] = []
  const tokens: number[] = []
  // Stacks for the path from the root to the current node.
  const lists = [0]
  const listStarts = [0]
  const scopes = [-1]
  const wrappers: (Span | undefined)[] = [undefined]
  // The last definition among the siblings whose body is a sibling too, or -1.
  const before = [-1]
  let level = 0
  let newline = -1
  for (let count = 1; ; count++) {
    if (count % nodesPerLook === 0 && isOver()) return undefined
    const type = cursor.nodeTypeId
    const last = before[level] as number
    const isBehind = last >= 0 && cursor.startIndex < (definitions[last] as Definition).end
    let scope = isBehind ? last : (scopes[level] as number)
    let end: number | undefined
    const rule = rules.definitions[type]
    const isToken = rules.isToken[type] === 1
    if (rule) {
      const definition = defined(cursor.currentNode, rule, scope, text)
      if (definition && isAdded(collected, definition, scope)) {
        widen(definition, wrappers, level, text)
        scope = definitions.length - 1
        if (definition.body >= cursor.endIndex && definition.body < definition.end) {
          before[level] = scope
          end = definition.end
        }
      }
    }
    const list = lists[level] as number
    if (rules.isLead[type] === 1) leads.push(cursor.startIndex, cursor.endIndex)
    else if (list !== 0 && !isBehind && isNode(rules, type) && isOf(list, cursor))
      units.push(cursor.startIndex, end ?? cursor.endIndex, listStarts[level] as number)
    if (isToken) {
      const { startIndex, endIndex } = cursor
      // Searched once per line, however many tokens it has.
      if (newline < startIndex) newline = nextNewline(text, startIndex)
      if (newline < endIndex) tokens.push(startIndex, endIndex)
    } else {
      const wrapper =
        rules.isWrapper[type] === 1 ? { start: cursor.startIndex, end: cursor.endIndex } : undefined
      const childList = rules.lists[type] ?? 0
      const start = childList === 0 ? 0 : cursor.startIndex
      if (cursor.gotoFirstChild()) {
        level++
        lists[level] = childList
        listStarts[level] = start
        scopes[level] = scope
        wrappers[level] = wrapper
        before[level] = -1
        continue
      }
    }
    while (!cursor.gotoNextSibling()) {
      level--
      if (!cursor.gotoParent())
        return {
          definitions,
          units: Uint32Array.from(units),
          leads: Uint32Array.from(leads),
          tokens: Uint32Array.from(tokens),
          hasErrors: cursor.currentNode.hasError,
        }
    }
  }
}

interface Found {
  definitions: Definition[]
  /** Of each definition. */
  depths: number[]
  /** Characters of the path of each. */
  lengths: number[]
}

/** Adds a definition, unless it is the same as that around it, or too deep. */
function isAdded(collected: Found, definition: Definition, scope: number): boolean {
  const { definitions, depths, lengths } = collected
  const depth = scope < 0 ? 0 : (depths[scope] as number) + 1
  const length = (scope < 0 ? 0 : (lengths[scope] as number)) + definition.name.length + 1
  if (depth > maxDepth || length > maxPathLength || isSame(definition, definitions[scope]))
    return false
  definitions.push(definition)
  depths.push(depth)
  lengths.push(length)
  return true
}

const isNode = (rules: Rules, type: number): boolean =>
  rules.isNamed[type] === 1 || type === errorType

/** A function expression may have the same name as the variable it is assigned to. */
const isSame = (inner: Definition, outer: Definition | undefined): boolean =>
  outer?.body === inner.body && `/${outer.name}`.endsWith(`/${inner.name}`)

function isOf(list: number, cursor: TreeCursor): boolean {
  if (list === everyChild) return true
  const field = cursor.currentFieldId + firstField
  return list > 0 ? field === list : field !== -list
}

function defined(
  node: Node,
  rule: DefinitionRule,
  parent: number,
  text: string,
): Definition | undefined {
  const { kind, name = 'name', when, body = 'body', isPrototype } = rule
  if (when) {
    const type = node.childForFieldName(when.field)?.type
    if (type === undefined || !when.types.includes(type)) return undefined
  }
  const nodeName = typeof name === 'function' ? name(node) : nameText(node.childForFieldName(name))
  if (!nodeName) return undefined
  const start = node.startIndex
  const bodyNode = typeof body === 'function' ? body(node) : node.childForFieldName(body)
  // The body may follow the node.
  const isBehind = bodyNode !== null && bodyNode.startIndex >= node.endIndex
  const end = endOf(isBehind ? bodyNode : node, text)
  return {
    name: nodeName,
    kind: typeof kind === 'function' ? kind(node) : kind,
    start,
    own: start,
    body: bodyNode ? bodyOf(bodyNode, text) : end,
    end,
    parent,
    ...(isPrototype && { isPrototype }),
    ...((node.hasError || (isBehind && bodyNode.hasError)) && { hasError: true }),
  }
}

/** The end of an indented block excludes trailing white space and comments. */
function endOf(node: Node, text: string): number {
  let at = node
  while (text[at.endIndex - 1] !== '}') {
    let last = at.lastChild
    while (last && (last.type.includes('comment') || last.startIndex === last.endIndex))
      last = last.previousSibling
    if (!last) break
    at = last
  }
  return at.startIndex + text.slice(at.startIndex, at.endIndex).trimEnd().length
}

/**
 * The start of a function body, also if the function is a value. Without a brace, comments before
 * the first statement belong to the body.
 */
function bodyOf(node: Node, text: string): number {
  let first = node.childForFieldName('body') ?? node
  while (text[first.startIndex] !== '{') {
    const before = first.previousNamedSibling
    if (!before?.type.includes('comment')) break
    first = before
  }
  return first.startIndex
}

/** Extend a definition by enclosing wrappers and the blanks before it. */
function widen(
  definition: Definition,
  wrappers: readonly (Span | undefined)[],
  level: number,
  text: string,
): void {
  for (let at = level; at > 0; at--) {
    const wrapper = wrappers[at]
    if (!wrapper || !isAllOf(wrapper, definition, text)) break
    definition.start = wrapper.start
    definition.end = wrapper.end
  }
  definition.start = lineStartOver(text, definition.start) ?? definition.start
}

function nextNewline(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at < 0 ? text.length : at
}

/** False for one of several variables in a declaration. */
function isAllOf(wrapper: Span, { start, end }: Definition, text: string): boolean {
  const before = text.slice(wrapper.start, Math.min(start, wrapper.start + 20))
  const isDeclaration = /^(?:const|let|var|using|local|type)\b/.test(before)
  return (
    /^[\s;)]*$/.test(text.slice(end, wrapper.end)) &&
    (!isDeclaration || /^\w+\s+$/.test(text.slice(wrapper.start, start)))
  )
}
