import type { Docs } from '@pith-mcp/docs'
import { CallError } from '@pith-mcp/server-kit/tools'
import { z } from 'zod'
import { fenced } from '../../render/reply-text.ts'
import { maxText } from '../../reply-limit.ts'
import { defineTool, numberOr } from '../../tools/tool.ts'
import { orFailAs } from './failures.ts'

export const getAvailableServices = defineTool({
  name: 'get_available_services',
  description: 'List the services that AWS China has, with the pages on how they differ.',
  input: z.object({
    start_index: numberOr(0, z.number().min(0)).describe('Offset in characters, to go on'),
  }),
  async answer({ start_index }, docs, { signal }) {
    const { servicesUrl = '' } = docs.siteOptions('aws-cn')
    const name = new URL(servicesUrl).pathname.split('/').at(-1) ?? ''
    const [page, contents] = await orFailAs(
      'Failed to fetch AWS-CN services page',
      Promise.all([
        wholePage(servicesUrl, docs),
        docs.contents(servicesUrl, { below: name, signal }).catch((error: { code?: string }) => {
          if (error.code !== 'section_not_found') throw error
        }),
      ]),
    )
    const [head, ...below] = contents?.pages ?? []
    if (!head)
      throw new CallError(
        'Failed fetching list of available AWS Services,',
        `please go to ${servicesUrl} directly`,
      )
    const services = below
      .filter(
        ({ level, title }) => level === head.level + 1 && !title.includes('Services Unsupported'),
      )
      .map(({ url, title }) => `- [${title}](${url})`)
    const list = ['## Services in Amazon Web Services China', '', ...services].join('\n')
    const text = `${page.trimEnd()}\n\n${list}\n`
    if (start_index >= text.length)
      return { text: '<e>No more content available.</e>', data: { total_length: text.length } }
    const end = endOfLine(text, start_index, maxText - 500)
    const next =
      end < text.length
        ? `\n\n<e>Content truncated. Call the get_available_services tool with start_index=${end} to get more content.</e>`
        : ''
    return {
      text: `AWS Documentation from ${servicesUrl}:\n\n${fenced(text.slice(start_index, end))}${next}`,
      data: { services: services.length, total_length: text.length, start_index },
    }
  },
})

const maxParts = 100

async function wholePage(url: string, docs: Docs): Promise<string> {
  const parts: string[] = []
  let page: string | undefined
  do {
    const part = await docs.content(url, { maxLength: 0, includeCodeBlocks: true, page })
    parts.push(part.markdown)
    page = part.nextPage
  } while (page !== undefined && parts.length < maxParts)
  return parts.join('')
}

function endOfLine(text: string, start: number, most: number): number {
  if (text.length - start <= most) return text.length
  const end = text.lastIndexOf('\n', start + most) + 1
  return end > start ? end : start + most
}
