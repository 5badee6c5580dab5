import type { CleanOptions, Page } from '@pith-mcp/cleaner'
import { cleanPage, type PageFormat } from '../protocol/page-format.ts'

export interface Cleaning extends Pick<CleanOptions, 'maxTime' | 'parser'> {
  text: string
  format: PageFormat
  url: string
}

/** Entry point of the worker thread of `CleanPool`. */
export default function clean({ text, format, ...options }: Cleaning): Page {
  return cleanPage(text, format, options)
}
