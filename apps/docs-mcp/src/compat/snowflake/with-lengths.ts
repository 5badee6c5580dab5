import type { DocsTool } from '../../tools/tool.ts'

interface Lengths {
  content_length?: number
  sections?: readonly { content_length: number; further?: readonly Lengths[] }[]
}

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0)

const lengthOf = ({
  content_length = 0,
  further = [],
}: Lengths & { further?: readonly Lengths[] }): number =>
  content_length + sum(further.map(lengthOf))

/** The lengths of what a tool returns, also in the text: in the fields of the original. */
export const withLengths = (tool: DocsTool): DocsTool => ({
  ...tool,
  async answer(input, docs, call) {
    const { text, data } = await tool.answer(input, docs, call)
    const { sections, ...whole } = data as Lengths
    const lengths = sections ? sections.map(lengthOf) : [lengthOf(whole)]
    if (lengths.length === 0) return { text, data }
    const total = sections ? { total_content_chars: sum(lengths) } : {}
    const fields = [
      `content_length: ${lengths.join(', ')}`,
      ...Object.entries(total).map(([name, value]) => `${name}: ${value}`),
    ]
    return { text: `${text}\n[${fields.join('; ')}]`, data: { ...data, ...total } }
  },
})
