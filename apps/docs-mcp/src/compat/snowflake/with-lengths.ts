import { quotedTexts } from '../../render/reply-text.ts'
import type { DocsTool } from '../../tools/tool.ts'

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

/** The lengths of the texts that a tool returns, also in its text: in the fields of the original. */
export const withLengths = (tool: DocsTool): DocsTool => ({
  ...tool,
  async answer(input, docs, call) {
    const { text, data } = await tool.answer(input, docs, call)
    const lengths = quotedTexts(text).map(({ length }) => length)
    if (lengths.length === 0) return { text, data }
    const total = sum(lengths)
    const { sections } = data as { sections?: readonly object[] }
    if (!sections)
      return {
        text: `${text}\n[content_length: ${total}]`,
        data: { ...data, content_length: total },
      }
    return {
      text: `${text}\n[content_length: ${lengths.join(', ')}; total_content_chars: ${total}]`,
      data: {
        ...data,
        sections: sections.map((section, at) => ({ ...section, content_length: lengths[at] })),
        total_content_chars: total,
      },
    }
  },
})
