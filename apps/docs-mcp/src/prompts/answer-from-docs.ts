import { completable, type McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** The one prompt: a question to be answered from documentation, and from nothing else. */
export function registerPrompt(server: McpServer, sources: readonly string[]): void {
  server.registerPrompt(
    'answer_from_docs',
    {
      title: 'Answer from these docs',
      description: 'Answer a question from the documentation, with the sections it stands in',
      argsSchema: z.object({
        question: z.string().describe('What you want to know'),
        // The names come from within: the SDK does not see them behind what is optional outside.
        source: completable(z.string(), (text) =>
          sources.filter((name) => name.toLowerCase().includes(text.toLowerCase())),
        ).optional(),
      }),
    },
    ({ question, source }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'text',
            text: `${question}

Answer from the documentation and from nothing else. Find the sections with search_docs${source ? ` (source ${JSON.stringify(source)})` : ''}, read them with get_doc_section, with include_code_blocks=true where code matters. Name the URL of every section the answer rests on. If the documentation does not say it, say so.`,
          },
        },
      ],
    }),
  )
}
