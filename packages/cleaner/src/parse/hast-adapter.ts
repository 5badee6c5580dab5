import type { Comment, Doctype, Element, Properties, Root, RootContent, Text } from 'hast'
import { html as standardHtml, type Token, type TreeAdapter, type TreeAdapterTypeMap } from 'parse5'
import { find, html, svg } from 'property-information'
import { CleanError } from '../clean-error.ts'

type Parent = Root | Element
type Child = RootContent

export type HastMap = TreeAdapterTypeMap<
  Parent | Child,
  Parent,
  Child,
  Root,
  Root,
  Element,
  Comment,
  Text,
  Element,
  Doctype
>

/** Symbols are not serialised and invisible to other plugins; the parser needs parents. */
const parentKey = Symbol('parent')
const namespaceKey = Symbol('namespace')

interface Linked {
  [parentKey]?: Parent | undefined
  [namespaceKey]?: string
}

const parentOf = (node: Parent | Child): Parent | null => (node as Linked)[parentKey] ?? null

function link(node: Child, parent: Parent | undefined): void {
  ;(node as Linked)[parentKey] = parent
}

type Kind = 'text' | 'words' | 'flag' | 'flag or text'

interface Attribute {
  property: string
  kind: Kind
}

/** Maximum number of cached names, because a page may contain any number. */
const maxNames = 2000

const known = { html: new Map<string, Attribute>(), svg: new Map<string, Attribute>() }

function attribute(name: string, schema: 'html' | 'svg'): Attribute {
  const cached = known[schema].get(name)
  if (cached) return cached
  const info = find(schema === 'svg' ? svg : html, name)
  const kind = info.spaceSeparated
    ? 'words'
    : info.boolean
      ? 'flag'
      : info.overloadedBoolean
        ? 'flag or text'
        : 'text'
  const found: Attribute = { property: info.property, kind }
  if (known[schema].size < maxNames) known[schema].set(name, found)
  return found
}

function words(value: string): string[] {
  // Fast path for a single name, the usual case.
  if (!/\s/.test(value)) return value === '' ? [] : [shared(value)]
  return value.trim().split(/\s+/)
}

const names = new Map<string, string>()

/** One string instance per name saves memory and makes comparisons faster. */
function shared(name: string): string {
  const known = names.get(name)
  if (known !== undefined) return known
  if (names.size < maxNames) names.set(name, name)
  return name
}

function toProperties(attributes: readonly Token.Attribute[], schema: 'html' | 'svg'): Properties {
  const properties: Properties = {}
  for (let index = 0; index < attributes.length; index++) {
    const { name, value } = attributes[index] as Token.Attribute
    // `constructor`, `__proto__`: never HTML attributes, and unsafe as object keys.
    if (name in Object.prototype) continue
    const { property, kind } = attribute(name, schema)
    if (kind === 'text') properties[property] = value
    else if (kind === 'words') properties[property] = words(value)
    else properties[property] = kind === 'flag' || value === '' ? true : value
  }
  return properties
}

function toAttributes(element: Element): Token.Attribute[] {
  return Object.entries(element.properties).map(([property, value]) => ({
    name: find(html, property).attribute,
    value: Array.isArray(value) ? value.join(' ') : value === true ? '' : String(value),
  }))
}

function append(parent: Parent, node: Child): void {
  add(parent, node)
  link(node, parent)
}

/** A growing array reserves capacity; most elements have one child, and a list of one is exact. */
function add(parent: Parent, node: Child): void {
  if (parent.children.length > 0) (parent.children as Child[]).push(node)
  else parent.children = [node as Text]
}

/** The parser moves recently added nodes, so the search starts at the end. */
const lastIndexOf = (parent: Parent, node: Child): number =>
  (parent.children as Child[]).lastIndexOf(node)

function insertAt(parent: Parent, node: Child, index: number): void {
  ;(parent.children as Child[]).splice(index, 0, node)
  link(node, parent)
}

/** Reading the clock takes time. */
const elementsBetweenChecks = 1024

/**
 * Build hast directly from parse5's tokens, without a second tree, positions or comments.
 *
 * @throws {CleanError} `too_large` at the element after `maxElements`; the error of `checkTime`.
 */
export function createHastAdapter(
  maxElements: number,
  checkTime: () => void,
): TreeAdapter<HastMap> {
  let elements = 0
  let mode = standardHtml.DOCUMENT_MODE.NO_QUIRKS
  return {
    createDocument: () => ({ type: 'root', children: [] }),
    createDocumentFragment: () => ({ type: 'root', children: [] }),
    createElement(tagName, namespace, attributes) {
      if (++elements > maxElements) throw tooManyElements(maxElements)
      if (elements % elementsBetweenChecks === 0) checkTime()
      const schema = namespace === standardHtml.NS.SVG ? 'svg' : 'html'
      const element: Element & Linked = {
        type: 'element',
        tagName: shared(tagName),
        properties: toProperties(attributes, schema),
        children: [],
        [parentKey]: undefined,
      }
      if (namespace !== standardHtml.NS.HTML) element[namespaceKey] = namespace
      return element
    },
    createCommentNode: (value) => ({ type: 'comment', value }),
    createTextNode: (value) => ({ type: 'text', value }),
    // Comments are not content; they are left out of the tree.
    appendChild(parent, node) {
      if (node.type !== 'comment') append(parent, node)
    },
    insertBefore(parent, node, reference) {
      insertAt(parent, node, lastIndexOf(parent, reference))
    },
    // The content of `<template>` is not rendered; it is left out of the tree.
    setTemplateContent() {},
    getTemplateContent: () => ({ type: 'root', children: [] }),
    setDocumentType(document) {
      if (!document.children.some((child) => child.type === 'doctype'))
        append(document, { type: 'doctype' })
    },
    setDocumentMode(_document, value) {
      mode = value
    },
    getDocumentMode: () => mode,
    onItemPop(element) {
      // Releases the capacity reserved for further children.
      if (element.children.length > 1) element.children = (element as Element).children.slice()
    },
    detachNode(node) {
      const parent = parentOf(node)
      if (!parent) return
      const index = lastIndexOf(parent, node)
      if (index >= 0) parent.children.splice(index, 1)
      link(node, undefined)
    },
    insertText(parent, value) {
      const last = parent.children[parent.children.length - 1]
      if (last?.type === 'text') last.value += value
      else {
        const text: Text & Linked = { type: 'text', value, [parentKey]: parent }
        add(parent, text)
      }
    },
    insertTextBefore(parent, value, reference) {
      const index = lastIndexOf(parent, reference)
      const before = parent.children[index - 1]
      if (before?.type === 'text') before.value += value
      else insertAt(parent, { type: 'text', value }, index)
    },
    adoptAttributes(recipient, attributes) {
      recipient.properties = { ...toProperties(attributes, 'html'), ...recipient.properties }
    },
    getFirstChild: (node) => (node.children[0] as Child | undefined) ?? null,
    getChildNodes: (node) => node.children as Child[],
    getParentNode: parentOf,
    getAttrList: toAttributes,
    getTagName: (element) => element.tagName,
    getNamespaceURI: (element) =>
      ((element as Linked)[namespaceKey] ?? standardHtml.NS.HTML) as standardHtml.NS,
    getTextNodeContent: (node) => node.value,
    getCommentNodeContent: (node) => node.value,
    getDocumentTypeNodeName: () => 'html',
    getDocumentTypeNodePublicId: () => '',
    getDocumentTypeNodeSystemId: () => '',
    isTextNode: (node) => node.type === 'text',
    isCommentNode: (node) => node.type === 'comment',
    isDocumentTypeNode: (node) => node.type === 'doctype',
    isElementNode: (node) => node.type === 'element',
    setNodeSourceCodeLocation() {},
    getNodeSourceCodeLocation: () => undefined,
    updateNodeSourceCodeLocation() {},
  }
}

function tooManyElements(limit: number): CleanError {
  return new CleanError(
    'too_large',
    `The page has more than ${limit} elements. Raise \`maxElements\` to clean it.`,
  )
}
