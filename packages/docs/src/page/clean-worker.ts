import type { CleanOptions, Page } from '@pith-mcp/cleaner'
import { allFormats } from '../formats/all-formats.ts'
import { html } from '../formats/html.ts'

export interface WorkerCleaning extends Pick<CleanOptions, 'maxTime' | 'parser'> {
  text: string
  /** Its name: functions do not pass between threads. */
  format: string
  url: string
}

/** Entry point of the worker thread of `CleanPool`. */
export default async function clean(cleaning: WorkerCleaning): Promise<Page> {
  const { text, format, ...options } = cleaning
  const { read } = allFormats.find(({ name }) => name === format) ?? html
  return read(text, options)
}
