import type { Page } from '@pith-mcp/cleaner'
import { cleanPage, type PageFormat } from '../protocol/page-format.ts'

export interface Cleaning {
  text: string
  format: PageFormat
  url: string
}

/** Entry point of the worker thread of `CleanPool`. */
export default function clean({ text, format, url }: Cleaning): Page {
  return cleanPage(text, format, { url })
}
