// The cleaner for latency.mjs: a file → the ids of its sections, and how long that took.
import { readFileSync } from 'node:fs'
import { cleanHtml } from '../../packages/cleaner/dist/index.js'

process.on('message', (file) => {
  const started = performance.now()
  const page = cleanHtml(readFileSync(file, 'utf8'), { url: `file://${file}` })
  const time = performance.now() - started
  process.send({ time, sections: page.sections.map(({ id }) => id) })
})
