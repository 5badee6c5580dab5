import { parentPort } from 'node:worker_threads'
import { languageNamed } from '../languages/all-languages.ts'
import type { Parsing } from './parse-apart.ts'
import { parseText } from './parse-text.ts'

/** The thread of `createParser`: text in, its syntax or a message out. */
parentPort?.on('message', async ({ text, language, timeoutMs }: Parsing) => {
  try {
    const rules = languageNamed(language)
    if (!rules) throw new Error(`There is no language ${language}.`)
    const outcome = await parseText(text, rules, timeoutMs)
    const arrays =
      'parsed' in outcome ? [outcome.parsed.units, outcome.parsed.leads, outcome.parsed.tokens] : []
    parentPort?.postMessage({ outcome }, arrays.map(({ buffer }) => buffer) as ArrayBuffer[])
  } catch (error) {
    parentPort?.postMessage({ message: error instanceof Error ? error.message : String(error) })
  }
})
