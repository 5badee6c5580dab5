import type { Docs } from '@pith-mcp/docs'
import { z } from 'zod'
import { fenced } from '../../render/reply-text.ts'
import { figuresOf } from '../../tools/figures.ts'
import { defineTool, numberOr } from '../../tools/tool.ts'
import { checkChinaUrl, checkUrl } from './check-url.ts'
import { orFailAs } from './failures.ts'
import { longTables } from './long-tables.ts'

const readerOf = (check: (url: string, docs: Docs) => void, place: string, table: boolean) =>
  defineTool({
    name: 'read_documentation',
    isEntry: true,
    description: `Read a page of the ${place} documentation as Markdown, part by part: start_index continues it.${table ? ' Tables of more than 20 rows show 5: search_table finds the others.' : ''}`,
    input: z.object({
      url: z.string().describe('URL of the page, ending in .html'),
      max_length: numberOr(5000, z.number().gt(0).lt(1_000_000)).describe(
        'Characters at most; a reply holds up to 20,000',
      ),
      start_index: numberOr(0, z.number().min(0)).describe('Offset in characters'),
    }),
    async answer({ url, max_length, start_index }, docs) {
      check(url, docs)
      const tables = table ? longTables(url) : undefined
      const read = (startIndex: number) =>
        docs.content(url, { startIndex, maxLength: max_length, includeCodeBlocks: true, tables })
      const heading = `AWS Documentation from ${url}:\n\n`
      const reading = orFailAs(`Failed to fetch ${url}`, read(start_index))
      const excerpt = await reading.catch((error: { code?: string }) => {
        // The only argument that can still be wrong is a start beyond the end.
        if (error.code !== 'bad_argument') throw error
      })
      if (!excerpt) {
        const { title, origin, total } = await read(0)
        return {
          text: `${heading}<e>No more content available.</e>`,
          data: { url, title, origin, total_length: total, start_index },
        }
      }
      const { title, origin } = excerpt
      const next =
        excerpt.nextPage === undefined
          ? ''
          : `\n\n<e>Content truncated. Call the read_documentation tool with start_index=${excerpt.end} to get more content.</e>`
      return {
        text: `${heading}${fenced(excerpt.markdown)}${next}`,
        data: { url, title, origin, ...figuresOf(excerpt) },
      }
    },
  })

export const readDocumentation = readerOf(checkUrl, 'AWS', true)
export const readChinaDocumentation = readerOf(checkChinaUrl, 'AWS China', false)
