import { AIMessage } from '@langchain/core/messages'
import { fakeModel } from '@langchain/core/testing'

const call = (tool_name, params) => {
  const args = { module: 'docs', tool_name, params }
  return new AIMessage({ content: '', tool_calls: [{ id: tool_name, name: 'call', args }] })
}

/** Does what a model does with the tools of the aggregator, and needs no key. */
export const scriptedModel = () =>
  fakeModel()
    .respond((messages) => call('search_docs', { query: messages.at(-1).text }))
    .respond((messages) => {
      const said = messages.at(-1).text
      const [url] = /^(?:https?|file):\S+$/m.exec(said) ?? []
      if (url === undefined) return new AIMessage(said)
      return call('get_doc_section', { url, include_code_blocks: true })
    })
    .respond((messages) => new AIMessage(messages.at(-1).text))
