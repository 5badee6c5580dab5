import type { Page } from '@pith-mcp/cleaner'
import { cleanPage, type PageFormat } from '../common/page-format.ts'

export interface Cleaning {
  text: string
  format: PageFormat
  url: string
}

/** What the thread of `createApartCleaner` does. */
export default function clean({ text, format, url }: Cleaning): Page {
  return cleanPage(text, format, { url })
}
