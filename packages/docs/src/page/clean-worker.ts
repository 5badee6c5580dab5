import type { CleanOptions, Page } from '@pith-mcp/cleaner'
import { allFormats } from '#formats/all-formats'
import { DocsError, type DocsErrorCode } from '#formats/docs-error'
import { html } from '#formats/readers/html'

export interface WorkerCleaning extends Pick<CleanOptions, 'maxTime' | 'parser'> {
  text: string
  /** Its name: functions do not pass between threads. */
  format: string
  url: string
}

/** Why there is no page: errors lose their class between threads. */
export interface ReadFailure {
  code: DocsErrorCode
  message: string
  remedy: string
}

/** Entry point of the worker thread of `CleanPool`. */
export default async function clean(cleaning: WorkerCleaning): Promise<Page | ReadFailure> {
  const { text, format, ...options } = cleaning
  const { read } = allFormats.find(({ name }) => name === format) ?? html
  try {
    return await read(text, options)
  } catch (error) {
    if (!(error instanceof DocsError)) throw error
    const { code, message, remedy } = error
    return { code, message, remedy }
  }
}
