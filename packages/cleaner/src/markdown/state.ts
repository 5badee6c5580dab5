import type { Element, Nodes } from 'hast'
import type { Block, BlockKind } from '../page.ts'
import type { FlatNode } from './flat-tree.ts'
import { tidyInline } from './tidy-inline.ts'

export interface Settings {
  links: 'text' | 'keep' | 'reference'
  /** Addresses by the number that stands for them. */
  references: Map<string, number>
  url: string | undefined
  /** Marks around what is being written: `**`, `*`, `~~`. */
  marks: ReadonlySet<string>
  blockHolders: ReadonlySet<Element>
  writeFlow: (nodes: readonly Nodes[], state: State) => void
}

/** What the handlers of flow content write to. */
export class State {
  readonly settings: Settings
  readonly out: FlatNode[] = []
  /** Pieces of the paragraph being written. */
  readonly inline: string[] = []
  /** Language named by an element around the code to come. */
  codeLanguage: string | undefined

  constructor(settings: Settings, codeLanguage?: string) {
    this.settings = settings
    this.codeLanguage = codeLanguage
  }

  /** Write flow content below an element; the way for a handler to go on. */
  flow(nodes: readonly Nodes[]): void {
    this.settings.writeFlow(nodes, this)
  }

  /** End the paragraph being written. */
  flush(): void {
    if (this.inline.length === 0) return
    const markdown = tidyInline(this.inline.join(''))
    this.inline.length = 0
    if (markdown !== '') this.text('text', markdown)
  }

  block(block: Block): void {
    this.out.push({ type: 'flatBlock', block })
  }

  text(kind: BlockKind, markdown: string): void {
    this.block({ kind, markdown })
  }

  /** Take over what was written apart. */
  append(nodes: readonly FlatNode[]): void {
    for (const node of nodes) this.out.push(node)
  }
}

/** Write with a state of its own, for content that is wrapped before it is handed on. */
export function writeApart(state: State, write: (apart: State) => void): FlatNode[] {
  const apart = new State(state.settings, state.codeLanguage)
  write(apart)
  apart.flush()
  return apart.out
}
