import type { Element, ElementContent, Root, RootContent } from 'hast'
import { handOver } from './hand-over.ts'
import { kind, type Tag, tagNamed } from './tags.ts'

/** A search in the stack takes time in proportion to the depth. */
const maxDepth = 600

const paragraph = tagNamed('p')

/**
 * The stack of open elements, and their children so far. Index 0 is the root of the tree. An
 * element gets its children when it is closed: a list that grows costs memory.
 */
export class OpenElements {
  readonly elements: (Root | Element)[]
  readonly tags: Tag[] = []
  current!: Root | Element
  currentTag!: Tag
  /** The largest index there was. */
  deepest = 0
  /** Whether a formatting element has been closed that may still be active. */
  hasClosedFormatting = false
  #paragraphs = 0
  /** The children of all open elements, those of inner elements last. Never shortened: slow. */
  readonly #children: RootContent[] = []
  #count = 0
  /** Where the children of each open element start. */
  readonly #starts: number[] = []

  constructor(root: Root) {
    this.elements = []
    this.push(root, { name: '', kinds: 0 })
  }

  /** Add a child to the current element. */
  append(node: RootContent): void {
    this.#children[this.#count++] = node
  }

  appendText(value: string): void {
    const isFirst = this.#count === this.#starts[this.#starts.length - 1]
    const last = isFirst ? undefined : this.#children[this.#count - 1]
    if (last?.type === 'text') last.value += value
    else this.append({ type: 'text', value })
  }

  push(element: Root | Element, tag: Tag): void {
    const depth = this.elements.push(element) - 1
    this.tags.push(tag)
    this.#starts.push(this.#count)
    this.current = element
    this.currentTag = tag
    if (tag === paragraph) this.#paragraphs++
    if (depth > maxDepth) handOver('deep page')
    if (depth > this.deepest) this.deepest = depth
  }

  pop(): void {
    const { current, currentTag } = this
    const start = this.#starts.pop() as number
    if (start < this.#count) {
      const added = this.#children.slice(start, this.#count) as ElementContent[]
      // Only the head is opened twice.
      current.children = current.children.length === 0 ? added : current.children.concat(added)
      this.#count = start
    }
    if (currentTag.kinds & kind.formatting) this.hasClosedFormatting = true
    if (currentTag === paragraph) this.#paragraphs--
    this.elements.pop()
    this.tags.pop()
    const top = this.elements.length - 1
    this.current = this.elements[top] as Root | Element
    this.currentTag = this.tags[top] as Tag
  }

  /** Pop a formatting element that is no longer active. */
  popFormatting(): void {
    const { hasClosedFormatting } = this
    this.pop()
    this.hasClosedFormatting = hasClosedFormatting
  }

  /** Pop up to and including the element at the index. */
  popFrom(index: number): void {
    while (this.elements.length > index) this.pop()
  }

  /** Index of the topmost element of one of the kinds, or 0. */
  topmostOf(kinds: number): number {
    let index = this.tags.length - 1
    while (index > 0 && !((this.tags[index] as Tag).kinds & kinds)) index--
    return index
  }

  /** Index of the topmost element with the tag in scope, or 0; `boundaries` end the scope. */
  indexInScope(tag: Tag, boundaries: number = kind.scope): number {
    const index = Math.max(0, this.tags.lastIndexOf(tag))
    return index >= this.topmostOf(boundaries) ? index : 0
  }

  /** Close the element with the tag if it is in scope, and all inside it. True if it was. */
  close(tag: Tag, boundaries?: number): boolean {
    const index = this.indexInScope(tag, boundaries)
    if (index > 0) this.popFrom(index)
    return index > 0
  }

  /** True if a `p` was open in button scope. */
  closeParagraph(): boolean {
    return this.#paragraphs > 0 && this.close(paragraph, kind.scope | kind.buttonScope)
  }
}
