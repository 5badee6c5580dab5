import type { ChunkOptions } from '@pith-mcp/code'

interface PageInput {
  page_token?: string | undefined
  page_size?: number | string | undefined
  start_line?: number | undefined
}

export const chunkOptions = ({ page_token, page_size, start_line }: PageInput): ChunkOptions => ({
  pageToken: page_token,
  pageSize: page_size,
  startLine: start_line,
})
