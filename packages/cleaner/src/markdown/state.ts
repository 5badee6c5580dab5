import type { Element, Nodes } from 'hast'
import type { Block, BlockKind } from '../page.ts'
import type { Notes } from '../read/read-notes.ts'
import type { FlatNode } from './flat-tree.ts'
import { anchorsOf, blocksOf, hasHeadings } from './prefixed.ts'
import { tidyInline } from './tidy-inline.ts'

export interface Settings {
  links: 'text' | 'keep' | 'reference'
  references: Map<string, number>
  url: string | undefined
  /** Enclosing delimiters: `**`, `*`, `~~`. */
  marks: ReadonlySet<string>
  blockHolders: ReadonlySet<Element>
  notes: Notes
  writeFlow: (nodes: readonly Nodes[], state: State) => void
}

/** Output of the handlers of flow content. */
export class State {
  readonly settings: Settings
  readonly out: FlatNode[] = []
  readonly inline: string[] = []
  /** Language declared by an ancestor of the following code; '' in a box of code without one. */
  codeLanguage: string | undefined
  /** The flow content describes a term that is no signature. */
  isDescription = false

  constructor(settings: Settings, codeLanguage?: string) {
    this.settings = settings
    this.codeLanguage = codeLanguage
  }

  /** Write flow content below an element; called by handlers for children. */
  flow(nodes: readonly Nodes[]): void {
    this.settings.writeFlow(nodes, this)
  }

  /** End the current paragraph. */
  flush(): void {
    if (this.inline.length === 0) return
    const markdown = tidyInline(this.inline.join(''))
    this.inline.length = 0
    if (markdown !== '') this.text('text', markdown)
  }

  block(block: Block): void {
    this.out.push({ type: 'flatBlock', block })
  }

  blocks(blocks: readonly Block[]): void {
    for (const block of blocks) this.block(block)
  }

  text(kind: BlockKind, markdown: string): void {
    this.block({ kind, markdown })
  }

  /** Append separately written nodes. */
  append(nodes: readonly FlatNode[]): void {
    for (const node of nodes) this.out.push(node)
  }
}

/** Append nodes with their blocks wrapped, after their fragments; headings are not wrapped. */
export function appendWrapped(
  nodes: readonly FlatNode[],
  wrap: (blocks: readonly Block[]) => readonly Block[],
  state: State,
): void {
  const isOpen = hasHeadings(nodes)
  state.append(isOpen ? nodes : anchorsOf(nodes))
  if (!isOpen) state.blocks(wrap(blocksOf(nodes)))
}

/** Write to a separate state, for content that is wrapped afterwards. */
export function writeApart(state: State, write: (apart: State) => void): FlatNode[] {
  const apart = new State(state.settings, state.codeLanguage)
  apart.isDescription = state.isDescription
  write(apart)
  apart.flush()
  return apart.out
}
