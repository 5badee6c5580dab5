import { parentPort } from 'node:worker_threads'
import { languageNamed } from '../languages/all-languages.ts'
import type { Parsing } from './parse-apart.ts'
import { parseText } from './parse-text.ts'

/** The thread of `createParser`: text in, its syntax or a message out. */
parentPort?.on('message', async ({ text, language, timeoutMs }: Parsing) => {
  try {
    const rules = languageNamed(language)
    const parsed = rules && (await parseText(text, rules, timeoutMs))
    const moved = parsed ? [parsed.units.buffer, parsed.leads.buffer, parsed.tokens.buffer] : []
    parentPort?.postMessage({ parsed }, moved as ArrayBuffer[])
  } catch (error) {
    parentPort?.postMessage({ message: error instanceof Error ? error.message : String(error) })
  }
})
