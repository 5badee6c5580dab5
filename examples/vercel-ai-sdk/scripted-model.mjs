import { MockLanguageModelV4 } from 'ai/test'

const tokens = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 }
const turn = (content, unified) => ({
  content: [content],
  finishReason: { unified, raw: undefined },
  usage: { inputTokens: tokens, outputTokens: tokens },
  warnings: [],
})
const call = (toolName, input) =>
  turn(
    { type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) },
    'tool-calls',
  )

/** Does what a model does with these tools, and needs no key: search, read the best hit, answer. */
export const scriptedModel = new MockLanguageModelV4({
  async doGenerate({ prompt }) {
    const last = prompt.at(-1).content.at(-1)
    if (last.type === 'text') return call('search_docs', { query: last.text })
    const said = last.output.value.map(({ text }) => text).join('\n')
    if (last.toolName !== 'search_docs') return turn({ type: 'text', text: said }, 'stop')
    const [url] = /^(?:https?|file):\S+$/m.exec(said) ?? []
    if (url === undefined) return turn({ type: 'text', text: said }, 'stop')
    return call('get_doc_section', { url, include_code_blocks: true })
  },
})
