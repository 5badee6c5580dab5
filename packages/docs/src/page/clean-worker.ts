import { parentPort } from 'node:worker_threads'
import type { Cleaning } from './clean-apart.ts'
import { cleanPage } from './page-format.ts'

/** The thread of `createApartCleaner`: text in, a page or a message out. */
parentPort?.on('message', ({ text, format, url }: Cleaning) => {
  try {
    parentPort?.postMessage({ page: cleanPage(text, format, { url }) })
  } catch (error) {
    parentPort?.postMessage({ message: error instanceof Error ? error.message : String(error) })
  }
})
