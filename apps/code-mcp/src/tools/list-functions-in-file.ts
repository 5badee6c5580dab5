import { z } from 'zod'
import { renderOutline } from '../render/render-outline.ts'
import { filePath, optionalText, pageToken } from './parameters.ts'
import { defineTool } from './tool.ts'

export const listFunctionsInFile = defineTool({
  name: 'list_functions_in_file',
  description: 'Functions, methods and classes of a file: name paths, kinds, lines, tokens.',
  input: z.object({
    file_path: filePath,
    query: optionalText().describe('Words of a name; or Class/ for its members'),
    page_token: pageToken,
  }),
  async answer({ file_path, query, page_token }, code) {
    return renderOutline(await code.outline(file_path, query), query, page_token)
  },
})
