import { z } from 'zod'
import { renderChunk } from '../render/render-chunk.ts'
import { chunkOptions } from './chunk-options.ts'
import { pageSize, pageToken, startLine } from './parameters.ts'
import { defineTool } from './tool.ts'

export const getChunk = defineTool({
  name: 'get_chunk',
  description: 'Read by id: path#name from find_function, or a whole file by its path.',
  input: z.object({
    chunk_id: z.string().describe('path#Class/method, or a path'),
    page_token: pageToken,
    page_size: pageSize,
    start_line: startLine,
  }),
  async answer(input, code, { locale }) {
    const chunk = await code.chunk(input.chunk_id, chunkOptions(input))
    return renderChunk(chunk, locale, (more) => ({
      tool: 'get_chunk',
      args: { chunk_id: chunk.id, page_size: input.page_size, ...more },
    }))
  },
})
