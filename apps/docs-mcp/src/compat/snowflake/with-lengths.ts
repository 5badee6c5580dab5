import { quotedTexts } from '../../render/reply-text.ts'
import type { DocsTool } from '../../tools/tool.ts'

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

/** Each section has so many parts further on, besides the first. */
interface Figures {
  sections?: readonly { further?: readonly unknown[] }[]
}

/** The lengths of the texts that a tool returns, also in its text: in the fields of the original. */
export const withLengths = (tool: DocsTool): DocsTool => ({
  ...tool,
  async answer(input, docs, call) {
    const { text, data } = await tool.answer(input, docs, call)
    const { sections } = data as Figures
    const lengths = quotedTexts(text).map(({ length }) => length)
    if (lengths.length === 0) return { text, data }
    if (!sections) return { text: `${text}\n[content_length: ${sum(lengths)}]`, data }
    const each = sections.map(({ further = [] }) => sum(lengths.splice(0, 1 + further.length)))
    const total = { total_content_chars: sum(each) }
    return {
      text: `${text}\n[content_length: ${each.join(', ')}; total_content_chars: ${sum(each)}]`,
      data: { ...data, ...total },
    }
  },
})
