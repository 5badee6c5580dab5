import { appendFileSync } from 'node:fs'

/** Written at once, so that whoever has an answer in hand finds its question in the file. */
export const openLog = (file) => (entry) => appendFileSync(file, `${JSON.stringify(entry)}\n`)
