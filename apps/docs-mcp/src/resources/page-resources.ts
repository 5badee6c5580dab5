import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import type { Docs } from '@pith-mcp/docs'
import { amount } from '@pith-mcp/server-kit/tools'
import { fenced } from '../render/reply-text.ts'
import { maxText } from '../reply-limit.ts'

const maxListed = 100
const maxCompleted = 100

/** Pages and sections as resources: `docs:` and the URL or path that tools take. */
export function registerResources(server: McpServer, openDocs: () => Promise<Docs>): void {
  const completeUrl = async (text: string): Promise<string[]> => {
    const docs = await openDocs()
    return (await docs.pagesLike(text, maxCompleted)).map(({ url }) => url)
  }
  const metadata = { mimeType: 'text/markdown' }
  // The more specific template comes first: the SDK uses the first one that matches.
  server.registerResource(
    'section',
    new ResourceTemplate('docs:{+url}#{section}', {
      list: undefined,
      complete: {
        url: completeUrl,
        async section(text, context) {
          const url = context?.arguments?.['url']
          if (url === undefined) return []
          const ids = await (await openDocs()).sectionIds(url)
          const needle = text.toLowerCase()
          return ids.filter((id) => id.toLowerCase().includes(needle)).slice(0, maxCompleted)
        },
      },
    }),
    { ...metadata, title: 'A section of a page', description: 'By its id, with its subsections' },
    (uri) => read(uri.href),
  )
  server.registerResource(
    'page',
    new ResourceTemplate('docs:{+url}', {
      async list() {
        const pages = await (await openDocs()).pagesLike('', maxListed)
        return {
          resources: pages.map(({ url, title }) => ({
            ...metadata,
            uri: `docs:${url}`,
            name: title || url,
          })),
        }
      },
      complete: { url: completeUrl },
    }),
    { ...metadata, title: 'A page', description: 'By the URL or path that tools take' },
    (uri) => read(uri.href),
  )

  async function read(uri: string) {
    const docs = await openDocs()
    const [, place = '', token] =
      /^docs:(.*?)(?:@(\d+\.[0-9a-z]{6}))?$/i.exec(uri.replace(/^docs:\/\/(?=[^/])/, 'docs:')) ?? []
    const options = { maxLength: maxText, page: token }
    const answer = place.includes('#')
      ? await docs.section(place, undefined, options)
      : await docs.content(place, options)
    const more =
      answer.nextPage === undefined ? '' : `\n[continued at docs:${place}@${answer.nextPage}]`
    const code =
      answer.codeBlocksOmitted > 0
        ? `\n[${amount(answer.codeBlocksOmitted, 'code block')} left out]`
        : ''
    return {
      contents: [{ uri, ...metadata, text: `${fenced(answer.markdown.trimEnd())}${more}${code}` }],
    }
  }
}
