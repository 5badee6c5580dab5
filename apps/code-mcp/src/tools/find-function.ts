import { z } from 'zod'
import { renderFound } from '../render/render-found.ts'
import { optionalNumber, optionalText } from './parameters.ts'
import { defineTool } from './tool.ts'

const maxHits = 50

export const findFunction = defineTool({
  name: 'find_function',
  isEntry: true,
  description: 'Find functions, methods and classes in all files by words of their name.',
  input: z.object({
    query: z.string(),
    path: optionalText().describe('Only this file, folder or glob'),
    max_results: optionalNumber().describe('Default 20, max 50'),
  }),
  async answer({ query, path, max_results }, code, { signal, onProgress }) {
    const found = await code.findFunctions(query, {
      maxResults: Math.min(Math.max(1, Math.floor(max_results ?? 20)), maxHits),
      path,
      signal,
      onProgress: onProgress && ((done, total) => onProgress({ done, total })),
    })
    return renderFound(found, query)
  },
})
