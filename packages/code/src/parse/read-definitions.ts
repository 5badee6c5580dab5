import type { Language as Grammar, Point, Tree } from 'web-tree-sitter'
import { type DefinitionRule, type Language, nameText } from '../languages/language.ts'
import type { Node } from '../languages/node.ts'
import { lineStartOver } from '../text/lines.ts'
import type { Definition } from './parsed.ts'

/** The definitions of a tree, in the order of the file, parents before children. */
export interface TreeDefinitions {
  definitions: Definition[]
  /** Ends of those whose body is a sibling behind their node, by the id of the node. */
  behind: ReadonlyMap<number, number>
}

interface Rules {
  /** Names of the node types below; `includes` is asked for each type of the grammar, each time. */
  types: string[]
  /** By node type. */
  definitions: (DefinitionRule | undefined)[]
  isWrapper: Uint8Array
  isToken: Uint8Array
}

/** A node around the current one. */
interface Open {
  node: Node
  end: number
  isWrapper: boolean
  /** Index of the definition that it is or is in, or -1. */
  scope: number
}

const compiled = new WeakMap<Language, Rules>()

function compileRules(grammar: Grammar, language: Language): Rules {
  const { definitions, wrappers = [], interpolated = [] } = language
  const count = grammar.nodeTypeCount
  const types = new Set([...Object.keys(definitions), ...wrappers, ...interpolated])
  const rules: Rules = {
    types: Object.assign([...types], { includes: (type: string) => types.has(type) }),
    definitions: new Array(count),
    isWrapper: new Uint8Array(count),
    isToken: new Uint8Array(count),
  }
  for (let id = 0; id < count; id++) {
    const type = grammar.nodeTypeForId(id)
    if (type === null || !grammar.nodeTypeIsNamed(id)) continue
    rules.definitions[id] = definitions[type]
    rules.isWrapper[id] = wrappers.includes(type) ? 1 : 0
    rules.isToken[id] = interpolated.includes(type) ? 1 : 0
  }
  return rules
}

/** More deeply nested definitions are ignored. */
const maxDepth = 24
/** In characters; definitions with a longer name path are ignored. */
const maxPathLength = 400
/** Number of nodes between checks of the time limit. */
const nodesPerLook = 2 ** 12

/**
 * Find the definitions of a file; undefined if `isOver` returns true. The walk over the tree is
 * within WebAssembly, and only the nodes that may matter leave it. `parsedText` is what was parsed.
 */
export function readDefinitions(
  tree: Tree,
  { text, parsedText }: { text: string; parsedText: string },
  language: Language,
  isOver: () => boolean,
): TreeDefinitions | undefined {
  const rules = compiled.get(language) ?? compileRules(tree.language, language)
  compiled.set(language, rules)
  const collected: Collected = {
    definitions: [],
    depths: [],
    lengths: [],
    behind: new Map(),
    open: [],
  }
  const { hasError: hasErrors } = tree.rootNode
  let tokenEnd = 0
  for (const { nodes, from } of windowsOf(tree, text, rules.types)) {
    for (let at = 0; at < nodes.length; at++) {
      if (at % nodesPerLook === 0 && isOver()) return undefined
      const node = nodes[at] as Node
      const { startIndex, typeId } = node
      // It began before this window, or is within a token.
      if (startIndex < from || startIndex < tokenEnd) continue
      if (rules.isToken[typeId] === 1) tokenEnd = node.endIndex
      const rule = rules.definitions[typeId]
      const isWrapper = rules.isWrapper[typeId] === 1
      const definition = rule && defined(node, rule, text, hasErrors)
      if (definition || isWrapper)
        enter(collected, node, definition, isWrapper, { text, parsedText })
    }
  }
  return collected
}

function enter(
  collected: Collected,
  node: Node,
  definition: Definition | undefined,
  isWrapper: boolean,
  texts: { text: string; parsedText: string },
): void {
  const { definitions, behind, open } = collected
  while (open.length > 0 && (open.at(-1) as Open).end <= node.startIndex) open.pop()
  const scope = open.at(-1)?.scope ?? -1
  const end = node.endIndex
  if (!definition || !isAdded(collected, definition, scope)) {
    if (isWrapper) open.push({ node, end, isWrapper, scope })
    return
  }
  widen(definition, node, open, texts)
  const isBehind = definition.body >= end && definition.body < definition.end
  if (isBehind) behind.set(node.id, definition.end)
  const last = isBehind ? definition.end : end
  open.push({ node, end: last, isWrapper, scope: definitions.length - 1 })
}

/** In characters: only the nodes of so much text are in memory at the same time. */
const windowLength = 2 ** 20
const lastRow = 2 ** 32 - 1

/** The nodes of these types, in order; those that began before `from` are among them again. */
function* windowsOf(
  { rootNode }: Tree,
  text: string,
  types: string[],
): Generator<{ nodes: readonly (Node | null)[]; from: number }> {
  let start = { row: 0, column: 0 }
  for (let from = 0; from < text.length; from += windowLength) {
    const to = from + windowLength
    const end =
      to < text.length ? pointAfter(start, text.slice(from, to)) : { row: lastRow, column: 0 }
    yield { nodes: rootNode.descendantsOfType(types, start, end), from }
    start = end
  }
}

function pointAfter({ row, column }: Point, text: string): Point {
  const rows = text.split('\n').length - 1
  const last = text.length - text.lastIndexOf('\n') - 1
  return { row: row + rows, column: rows === 0 ? column + text.length : last }
}

interface Collected extends TreeDefinitions {
  behind: Map<number, number>
  /** Of each definition. */
  depths: number[]
  /** Characters of the path of each. */
  lengths: number[]
  /** From the outermost to the innermost. */
  open: Open[]
}

/** Adds a definition, unless it is the same as that around it, or too deep. */
function isAdded(collected: Collected, definition: Definition, scope: number): boolean {
  const { definitions, depths, lengths } = collected
  const depth = scope < 0 ? 0 : (depths[scope] as number) + 1
  const length = (scope < 0 ? 0 : (lengths[scope] as number)) + definition.name.length + 1
  if (depth > maxDepth || length > maxPathLength || isSame(definition, definitions[scope]))
    return false
  definition.parent = scope
  definitions.push(definition)
  depths.push(depth)
  lengths.push(length)
  return true
}

/** A function expression may have the same name as the variable it is assigned to. */
const isSame = (inner: Definition, outer: Definition | undefined): boolean =>
  outer?.body === inner.body && `/${outer.name}`.endsWith(`/${inner.name}`)

function defined(
  node: Node,
  rule: DefinitionRule,
  text: string,
  hasErrors: boolean,
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
    parent: -1,
    ...(isPrototype && { isPrototype }),
    ...(hasErrors && (node.hasError || (isBehind && bodyNode.hasError)) && { hasError: true }),
  }
}

/** What a comment begins or ends with, in all languages. */
const commentMark = /#|\/\/|\*\/|--|\]=*\]|=end/
/** In characters, of the last line of a comment. */
const maxMarkDistance = 200

/** False if what ends before an offset is not a comment: this spares a walk over its nodes. */
function mayBeComment(text: string, offset: number): boolean {
  const from = Math.max(0, offset - maxMarkDistance)
  const before = text.slice(from, offset).trimEnd()
  const newline = before.lastIndexOf('\n')
  return (newline < 0 && from > 0) || commentMark.test(before.slice(newline + 1))
}

/** The end of an indented block excludes trailing white space and comments. */
function endOf(node: Node, text: string): number {
  const { startIndex, endIndex } = node
  const trimmed = startIndex + text.slice(startIndex, endIndex).trimEnd().length
  if (text[endIndex - 1] === '}' || !mayBeComment(text, trimmed)) return trimmed
  let at = node
  let hasComment = false
  while (text[at.endIndex - 1] !== '}') {
    let last = at.lastChild
    for (; last; last = last.previousSibling) {
      const isComment = last.type.includes('comment')
      if (!isComment && last.startIndex < last.endIndex) break
      hasComment ||= isComment
    }
    if (!last) break
    at = last
  }
  // Otherwise a token that has no node may be the last.
  if (!hasComment) return trimmed
  return at.startIndex + text.slice(at.startIndex, at.endIndex).trimEnd().length
}

/**
 * The start of a function body, also if the function is a value. Without a brace, comments before
 * the first statement belong to the body.
 */
function bodyOf(node: Node, text: string): number {
  let first = node.childForFieldName('body') ?? node
  while (text[first.startIndex] !== '{' && mayBeComment(text, first.startIndex)) {
    const before = first.previousNamedSibling
    if (!before?.type.includes('comment')) break
    first = before
  }
  return first.startIndex
}

/** Extend a definition by the wrappers that it is a child of, and the blanks before it. */
function widen(
  definition: Definition,
  node: Node,
  open: readonly Open[],
  { text, parsedText }: { text: string; parsedText: string },
): void {
  let child = node
  for (let at = open.length - 1; at >= 0; at--) {
    const { isWrapper, node: wrapper, end } = open[at] as Open
    if (!isWrapper || !isAllOf(wrapper.startIndex, end, definition, text)) break
    if (wrapper.childWithDescendant(child)?.id !== child.id) break
    definition.start = wrapper.startIndex
    definition.end = end
    child = wrapper
  }
  definition.start = lineStartOver(parsedText, definition.start) ?? definition.start
  definition.start = overAnnotations(text, parsedText, definition.start)
}

/** The start of the lines above a place that have blanked annotations only. */
function overAnnotations(text: string, parsedText: string, start: number): number {
  let found = start
  for (let at = start; at > 0; ) {
    const above = text.lastIndexOf('\n', at - 2) + 1
    const line = text.slice(above, at).trim()
    const left = parsedText.slice(above, at).trim()
    const isBlanked = left === '' || (left.startsWith('//') && left !== line)
    if (line === '' || !isBlanked) break
    if (line.startsWith('@')) found = above
    at = above
  }
  return found
}

/** False for one of several variables in a declaration. */
function isAllOf(from: number, to: number, { start, end }: Definition, text: string): boolean {
  const before = text.slice(from, Math.min(start, from + 20))
  const isDeclaration = /^(?:const|let|var|using|local|type)\b/.test(before)
  return (
    /^[\s;)]*$/.test(text.slice(end, to)) &&
    (!isDeclaration || /^\w+\s+$/.test(text.slice(from, start)))
  )
}
