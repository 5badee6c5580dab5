import type { Element } from 'hast'
import type { Block } from '../page.ts'
import { prefixed } from './prefixed.ts'
import { appendWrapped, type State, writeApart } from './state.ts'

/** The label as the page writes it before the note, and what remains of a link back around it. */
const mark =
  /^(?:\^\s*)?(?:\\?[[(]?\^?(\d{1,4}|[*†‡§]|\\\*)?\\?[\])]?|\\?[[(]([a-z])\\?[\])])\\?[.:]?(?:\s+|$)/

/** The blocks of a footnote, `[^1]: text`, without the label that the page has before it. */
export function noteBlocks(label: string, blocks: readonly Block[]): Block[] {
  const [first, ...following] = blocks
  if (!first) return []
  const [matched = '', sign, letter] = mark.exec(first.markdown) ?? []
  const isMark = (sign ?? letter ?? label).replace('\\', '') === label
  const text = isMark && !first.lead ? first.markdown.slice(matched.length) : first.markdown
  const rest = text === '' ? following : [{ ...first, markdown: text }, ...following]
  return prefixed(rest, `[^${label}]: `, '    ')
}

/** Write an element to which a reference leads as a footnote. */
export function writeNoteText(label: string, parts: readonly Element[], state: State): void {
  const nodes = writeApart(state, (apart) => {
    for (const part of parts) apart.flow(part.children)
  })
  appendWrapped(nodes, (blocks) => noteBlocks(label, blocks), state)
}
