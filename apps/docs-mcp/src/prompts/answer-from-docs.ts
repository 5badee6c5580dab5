import { completable, type McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** The only prompt: answer a question from the documentation alone. */
export function registerPrompt(server: McpServer, sources: readonly string[]): void {
  server.registerPrompt(
    'answer_from_docs',
    {
      title: 'Answer from these docs',
      description: 'Answer a question from the documentation, with the sections that contain it',
      argsSchema: z.object({
        question: z.string().describe('What you want to know'),
        // `optional()` must be outermost: the SDK does not find the completion inside it otherwise.
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

Answer from the documentation only. Find the sections with search_docs${source ? ` (source ${JSON.stringify(source)})` : ''}, read them with get_doc_section, with include_code_blocks=true where code matters. Cite the URL of every section that the answer is based on. If the documentation does not contain the answer, say so.`,
          },
        },
      ],
    }),
  )
}
