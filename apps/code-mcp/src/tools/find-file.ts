import { z } from 'zod'
import { renderFiles } from '../render/render-files.ts'
import { defineTool } from './tool.ts'

export const findFile = defineTool({
  name: 'find_file',
  description: 'Find files by a glob (src/**/*.ts) or a part of their name or path.',
  input: z.object({ pattern: z.string() }),
  async answer({ pattern }, code) {
    return renderFiles(await code.findFiles(pattern), pattern)
  },
})
