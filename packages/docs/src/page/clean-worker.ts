import type { Page } from '@pith-mcp/cleaner'
import { cleanPage, type PageFormat } from '../protocol/page-format.ts'

export interface Cleaning {
  text: string
  format: PageFormat
  url: string
  /** Milliseconds; the cleaner's own limit unless it is given. */
  maxTime?: number
}

/** Entry point of the worker thread of `CleanPool`. */
export default function clean({ text, format, ...options }: Cleaning): Page {
  return cleanPage(text, format, options)
}
