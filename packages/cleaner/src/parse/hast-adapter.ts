import type { Comment, Doctype, Element, Root, RootContent, Text } from 'hast'
import { html as standardHtml, type Token, type TreeAdapter, type TreeAdapterTypeMap } from 'parse5'
import { CleanError } from '../clean-error.ts'
import { shared, toAttributes, toProperties } from './hast-properties.ts'

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

/** Builds hast directly from parse5's tokens, without a second tree, positions or comments. */
export class HastAdapter implements TreeAdapter<HastMap> {
  readonly #maxElements: number
  readonly #checkTime: () => void
  #elements = 0
  #mode = standardHtml.DOCUMENT_MODE.NO_QUIRKS

  /**
   * The parser throws a {@link CleanError} `too_large` at the element after `maxElements`, and the
   * errors of `checkTime`.
   */
  constructor(maxElements: number, checkTime: () => void) {
    this.#maxElements = maxElements
    this.#checkTime = checkTime
  }

  createDocument(): Root {
    return { type: 'root', children: [] }
  }
  createDocumentFragment(): Root {
    return { type: 'root', children: [] }
  }
  createElement(tagName: string, namespace: string, attributes: Token.Attribute[]): Element {
    if (++this.#elements > this.#maxElements) throw tooManyElements(this.#maxElements)
    if (this.#elements % elementsBetweenChecks === 0) this.#checkTime()
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
  }
  createCommentNode(value: string): Comment {
    return { type: 'comment', value }
  }
  createTextNode(value: string): Text {
    return { type: 'text', value }
  }

  /** Comments are not content; they are left out of the tree. */
  appendChild(parent: Parent, node: Child): void {
    if (node.type !== 'comment') append(parent, node)
  }
  insertBefore(parent: Parent, node: Child, reference: Child): void {
    insertAt(parent, node, lastIndexOf(parent, reference))
  }
  insertText(parent: Parent, value: string): void {
    const last = parent.children[parent.children.length - 1]
    if (last?.type === 'text') last.value += value
    else {
      const text: Text & Linked = { type: 'text', value, [parentKey]: parent }
      add(parent, text)
    }
  }
  insertTextBefore(parent: Parent, value: string, reference: Child): void {
    const index = lastIndexOf(parent, reference)
    const before = parent.children[index - 1]
    if (before?.type === 'text') before.value += value
    else insertAt(parent, { type: 'text', value }, index)
  }
  detachNode(node: Child): void {
    const parent = parentOf(node)
    if (!parent) return
    const index = lastIndexOf(parent, node)
    if (index >= 0) parent.children.splice(index, 1)
    link(node, undefined)
  }
  /** Releases the capacity reserved for further children. */
  onItemPop(element: Parent): void {
    if (element.children.length > 1) element.children = (element as Element).children.slice()
  }
  adoptAttributes(recipient: Element, attributes: Token.Attribute[]): void {
    recipient.properties = { ...toProperties(attributes, 'html'), ...recipient.properties }
  }
  setDocumentType(document: Root): void {
    if (!document.children.some((child) => child.type === 'doctype'))
      append(document, { type: 'doctype' })
  }
  setDocumentMode(_document: Root, mode: standardHtml.DOCUMENT_MODE): void {
    this.#mode = mode
  }
  getDocumentMode(): standardHtml.DOCUMENT_MODE {
    return this.#mode
  }

  getFirstChild(node: Parent): Child | null {
    return (node.children[0] as Child | undefined) ?? null
  }
  getChildNodes(node: Parent): Child[] {
    return node.children as Child[]
  }
  getParentNode(node: Parent | Child): Parent | null {
    return parentOf(node)
  }
  getAttrList(element: Element): Token.Attribute[] {
    return toAttributes(element)
  }
  getTagName(element: Element): string {
    return element.tagName
  }
  getNamespaceURI(element: Element): standardHtml.NS {
    return ((element as Linked)[namespaceKey] ?? standardHtml.NS.HTML) as standardHtml.NS
  }
  getTextNodeContent(node: Text): string {
    return node.value
  }
  getCommentNodeContent(node: Comment): string {
    return node.value
  }
  isTextNode(node: Parent | Child): node is Text {
    return node.type === 'text'
  }
  isCommentNode(node: Parent | Child): node is Comment {
    return node.type === 'comment'
  }
  isDocumentTypeNode(node: Parent | Child): node is Doctype {
    return node.type === 'doctype'
  }
  isElementNode(node: Parent | Child): node is Element {
    return node.type === 'element'
  }

  getDocumentTypeNodeName(): string {
    return 'html'
  }
  getDocumentTypeNodePublicId(): string {
    return ''
  }
  getDocumentTypeNodeSystemId(): string {
    return ''
  }
  /** The content of `<template>` is not rendered; it is left out of the tree. */
  setTemplateContent(): void {}
  getTemplateContent(): Root {
    return { type: 'root', children: [] }
  }
  setNodeSourceCodeLocation(): void {}
  updateNodeSourceCodeLocation(): void {}
  getNodeSourceCodeLocation(): undefined {
    return undefined
  }
}

function tooManyElements(limit: number): CleanError {
  return new CleanError(
    'too_large',
    `The page has more than ${limit} elements. Raise \`maxElements\` to clean it.`,
  )
}
