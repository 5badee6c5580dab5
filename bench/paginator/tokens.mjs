// How far the estimate of tokens is from those of o200k and cl100k, on the pages of the corpus, in
// parts of 4,000 characters: percentiles 5, 50 and 95 of the error, in percent.
//   node tokens.mjs
import { readFileSync } from 'node:fs'
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import { cleanHtml, toChunks } from '../../packages/cleaner/dist/index.js'
import { estimateTokens } from '../../packages/paginator/dist/index.js'
import { fetchedPages } from '../corpus/corpus.mjs'

const partLength = 4000
const maxParts = 300
const texts = { 'English prose': '', 'Japanese prose': '', code: '', tables: '' }

for (const { file, generator } of fetchedPages()) {
  const prose = generator.includes('Japanese') ? 'Japanese prose' : 'English prose'
  for (const { kind, text } of toChunks(cleanHtml(readFileSync(file, 'utf8'))))
    texts[kind === 'code' ? 'code' : kind === 'table' ? 'tables' : prose] += text
}

const percent = (errors, share) =>
  (100 * errors.sort((a, b) => a - b)[Math.floor((errors.length - 1) * share)]).toFixed(1)

console.log('| text | parts | o200k | cl100k |\n|---|---|---|---|')
for (const [name, text] of Object.entries(texts)) {
  const parts = Array.from(
    { length: Math.min(maxParts, Math.floor(text.length / partLength)) },
    (_, at) => text.slice(at * partLength, (at + 1) * partLength),
  )
  const row = [o200k, cl100k].map((count) => {
    const errors = parts.map((part) => estimateTokens(part) / count(part) - 1)
    return [0.05, 0.5, 0.95].map((share) => percent(errors, share)).join(' / ')
  })
  console.log(`| ${name} | ${parts.length} | ${row.join(' | ')} |`)
}
