import { readFileSync } from 'node:fs'
import { claims } from './claims.mjs'
import { tableText } from './tables.mjs'

/**
 * The texts with the figures of the records, by their paths: sentences of the README and the manual,
 * and the tables of bench/README.md.
 *
 * @throws if a text does not have a sentence that states figures
 */
export function textsWith(figure, records, root) {
  const texts = new Map()
  const read = (path) => texts.get(path) ?? readFileSync(`${root}${path}`, 'utf8')
  for (const { paths, sentence } of claims)
    for (const path of paths) texts.set(path, withSentence(read(path), path, sentence, figure))
  texts.set('bench/README.md', withTables(read('bench/README.md'), records))
  return texts
}

function withSentence(text, path, sentence, figure) {
  const pattern = patternOf(sentence)
  if (!pattern.test(text))
    throw new Error(`${path} has no sentence “${sentence(() => '…')}”: see evidence/claims.mjs.`)
  const filled = sentence(figure)
  return text.replace(pattern, () => filled)
}

/** What a sentence looks like whatever its figures are. */
export function patternOf(sentence) {
  const parts = sentence(() => '\0').split('\0')
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(escaped.join('[\\d.,−-]+'))
}

/** Tables between `<!-- evidence ID N -->` and `<!-- end -->`: the Nth that the run printed. */
const withTables = (text, records) =>
  text.replace(
    /(<!-- evidence ([\w-]+) (\d+) -->\n)[\s\S]*?(\n<!-- end -->)/g,
    (block, begin, id, at, end) => {
      const record = records[id]
      if (!record) return block
      const { command, date, machine, tables } = record
      return `${begin}\n${tableText(tables[at])}\n\n\`${command}\`, ${date}, on ${machine}.\n${end}`
    },
  )
