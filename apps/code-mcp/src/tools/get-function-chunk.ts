import { z } from 'zod'
import { renderChunk } from '../render/render-chunk.ts'
import { chunkOptions } from './chunk-options.ts'
import { filePath, pageSize, pageToken, startLine } from './parameters.ts'
import { defineTool } from './tool.ts'

export const getFunctionChunk = defineTool({
  name: 'get_function_chunk',
  isEntry: true,
  description:
    'Read one function, method or class; a long one page by page, cut between statements.',
  input: z.object({
    file_path: filePath,
    function: z.string().describe('Name path (Class/method, name[1]), signature, or "line 120"'),
    page_token: pageToken,
    page_size: pageSize,
    start_line: startLine,
  }),
  async answer(input, code, { locale }) {
    const chunk = await code.functionChunk(input.file_path, input.function, chunkOptions(input))
    return renderChunk(chunk, locale, (more) => ({
      tool: 'get_function_chunk',
      args: {
        file_path: chunk.file,
        function: chunk.symbol?.path,
        page_size: input.page_size,
        ...more,
      },
    }))
  },
})
