import type { Chunk, ChunkOptions } from '@pith-mcp/code'

interface PageInput {
  page_token?: string | undefined
  page_size?: number | string | undefined
  start_line?: number | undefined
}

export const chunkOptions = ({ page_token, page_size, start_line }: PageInput): ChunkOptions => ({
  ...(page_token !== undefined && { pageToken: page_token }),
  ...(page_size !== undefined && { pageSize: page_size }),
  ...(start_line !== undefined && { startLine: start_line }),
})

export function figuresOf({ text: _text, crumbs: _crumbs, leading: _leading, ...figures }: Chunk) {
  return { ...figures }
}
