import { z } from 'zod'
import { renderFound } from '../render/render-found.ts'
import { optionalNumber, optionalText } from './parameters.ts'
import { defineTool } from './tool.ts'

const most = 50

export const findFunction = defineTool({
  name: 'find_function',
  description: 'Find functions, methods and classes of all files by name or words of it.',
  input: z.object({
    query: z.string(),
    path: optionalText().describe('Only this file, folder or glob'),
    max_results: optionalNumber().describe('Default 20, most 50'),
  }),
  async answer({ query, path, max_results }, code, { signal, onProgress }) {
    const found = await code.findFunctions(query, {
      maxResults: Math.min(Math.max(1, Math.floor(max_results ?? 20)), most),
      ...(path !== undefined && { path }),
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
    })
    return renderFound(found, query)
  },
})
