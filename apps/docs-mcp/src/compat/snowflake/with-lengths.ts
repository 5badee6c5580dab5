import { quotedTexts } from '../../render/reply-text.ts'
import type { DocsTool } from '../../tools/tool.ts'

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

/** The lengths of the texts that a tool returns, also in its text: in the fields of the original. */
export const withLengths = (tool: DocsTool): DocsTool => ({
  ...tool,
  async answer(input, docs, call) {
    const { text, data } = await tool.answer(input, docs, call)
    const { sections } = data as { sections?: unknown }
    const lengths = quotedTexts(text).map(({ length }) => length)
    if (lengths.length === 0) return { text, data }
    if (!sections) return { text: `${text}\n[content_length: ${sum(lengths)}]`, data }
    const total = { total_content_chars: sum(lengths) }
    return {
      text: `${text}\n[content_length: ${lengths.join(', ')}; total_content_chars: ${sum(lengths)}]`,
      data: { ...data, ...total },
    }
  },
})
