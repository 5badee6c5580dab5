import type { Element, Nodes } from 'hast'
import type { Block, BlockKind } from '../page.ts'
import type { FlatNode } from './flat-tree.ts'
import { tidyInline } from './tidy-inline.ts'

export interface Settings {
  links: 'text' | 'keep' | 'reference'
  /** Addresses by the number that stands for them. */
  references: Map<string, number>
  url: string | undefined
  blockHolders: ReadonlySet<Element>
  writeFlow: (nodes: readonly Nodes[], state: State) => void
}

/** What the handlers of flow content write to. */
export interface State extends Settings {
  readonly out: FlatNode[]
  /** Pieces of the paragraph being written. */
  readonly inline: string[]
  /** Language named by an element around the code to come. */
  codeLanguage: string | undefined
  /** Write flow content below an element; the way for a handler to go on. */
  flow(nodes: readonly Nodes[]): void
  /** End the paragraph being written. */
  flush(): void
  block(block: Block): void
  /** Take over what was written apart. */
  append(nodes: readonly FlatNode[]): void
  text(kind: BlockKind, markdown: string): void
}

export function createState(settings: Settings): State {
  const out: FlatNode[] = []
  const inline: string[] = []
  const state: State = {
    ...settings,
    out,
    inline,
    codeLanguage: undefined,
    flow: (nodes) => settings.writeFlow(nodes, state),
    flush() {
      if (inline.length === 0) return
      const markdown = tidyInline(inline.join(''))
      inline.length = 0
      if (markdown !== '') state.text('text', markdown)
    },
    append(nodes) {
      for (const node of nodes) out.push(node)
    },
    block: (block) => out.push({ type: 'flatBlock', block }),
    text: (kind, markdown) => state.block({ kind, markdown }),
  }
  return state
}

/** Write with a state of its own, for content that is wrapped before it is handed on. */
export function writeApart(state: State, write: (apart: State) => void): FlatNode[] {
  const apart = createState(state)
  apart.codeLanguage = state.codeLanguage
  write(apart)
  apart.flush()
  return apart.out
}
