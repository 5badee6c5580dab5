import type { Element, Properties, Root } from 'hast'
import { handOver } from './hand-over.ts'
import { OpenElements } from './open-elements.ts'
import { type ElementBounds, elementsBetweenChecks } from './parse-with-parse5.ts'
import type { Scanner } from './scanner.ts'
import { kind, type Tag } from './tags.ts'

/** Where in the document a token is; in tables and foreign content the open elements tell more. */
export type InsertionMode =
  | 'initial'
  | 'before html'
  | 'before head'
  | 'in head'
  | 'in head noscript'
  | 'after head'
  | 'in body'
  | 'in select'

/** A formatting element whose end tag has not been read yet, whether it is open or not. */
export interface ActiveElement {
  element: Element
  readonly tag: Tag
}

/** The tree so far, and everything that decides where the next token belongs. */
export class TreeBuilder {
  readonly scanner: Scanner
  readonly root: Root = { type: 'root', children: [] }
  readonly open: OpenElements = new OpenElements(this.root)
  /** The list of active formatting elements; `undefined` is a marker. */
  readonly active: (ActiveElement | undefined)[] = []
  mode: InsertionMode = 'initial'
  /** The modes to return to at the end of each open `template`. */
  readonly templateModes: InsertionMode[] = []
  /** In quirks mode, a table does not close a paragraph. */
  isQuirks = true
  head: Element | undefined
  /** The form that later controls belong to. */
  form: Element | undefined
  /** Number of open elements in svg or math. */
  foreignDepth = 0
  /** Whether a line feed is left out if the next token starts with it. */
  skipsLineFeed = false
  readonly #bounds: ElementBounds
  #elements = 0

  constructor(scanner: Scanner, bounds: ElementBounds) {
    this.scanner = scanner
    this.#bounds = bounds
  }

  /** Add an element without content. */
  append({ name }: Tag, properties: Properties = {}): Element {
    if (++this.#elements > this.#bounds.maxElements) handOver('too many elements')
    if (this.#elements % elementsBetweenChecks === 0) this.#bounds.checkTime()
    const element: Element = { type: 'element', tagName: name, properties, children: [] }
    this.open.append(element)
    return element
  }

  /** Add an element and open it. */
  insert(tag: Tag, properties?: Properties): Element {
    const element = this.append(tag, properties)
    this.open.push(element, tag)
    return element
  }

  /** Add an element that contains only text: `script`, `style`, `title`, `textarea` and the like. */
  appendRawText(tag: Tag, properties: Properties): void {
    const { scanner } = this
    // Written as XML, it is empty, unless its end tag follows.
    if (scanner.isSelfClosing && !scanner.source.startsWith(`</${tag.name}`, scanner.position))
      handOver(`self-closed ${tag.name}`)
    const element = this.append(tag, properties)
    let value = scanner.readRawText(tag)
    if (tag.name === 'textarea' && value.startsWith('\n')) value = value.slice(1)
    if (value !== '') element.children = [{ type: 'text', value }]
  }

  /** Open a `template`. Its content follows the rules of the body, wherever it is. */
  #insertTemplate(tag: Tag, properties: Properties): void {
    if ('shadowRootMode' in properties || 'shadowroot' in properties) handOver('shadow root')
    this.insert(tag, properties)
    this.active.push(undefined)
    this.templateModes.push(this.mode)
    this.mode = 'in body'
  }

  /** Add an element of the head, wherever it is. */
  appendMetadata(tag: Tag, properties: Properties): void {
    if (tag.name === 'template') this.#insertTemplate(tag, properties)
    else if (tag.kinds & kind.void) this.append(tag, properties)
    else this.appendRawText(tag, properties)
  }
}
