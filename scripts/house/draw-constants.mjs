import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import { numbersFrom } from './bare-names.mjs'
import { sourceFiles } from './read-package.mjs'

const libraries = ['cleaner', 'scorer', 'paginator', 'docs', 'code', 'aggregator']
const folders = [...libraries.map((name) => `packages/${name}`), 'apps/docs-mcp']

/**
 * Constants of modules in a drawn order, each with what decisions say around its value next to a
 * word of its name, comment or file. Whether they mean it is for a reader to judge.
 */
export function drawConstants(count, seed) {
  const left = folders.flatMap((folder) =>
    sourceFiles(folder).flatMap((file) => constantsIn(join(folder, file))),
  )
  const decisions = readFigures()
  const drawn = []
  for (const number of numbersFrom(seed)) {
    if (drawn.length === count || left.length === 0) return drawn
    const [constant] = left.splice(number % left.length, 1)
    const words = wordsOf(constant)
    const around = decisions
      .filter(({ values }) => values.includes(constant.value))
      .map(({ around }) => around)
      .filter((text) => words.some((word) => text.toLowerCase().includes(word)))
    if (around.length > 0) drawn.push({ ...constant, around })
  }
}

const wordsOf = ({ path, comment, text }) =>
  (`${basename(path, '.ts')} ${comment} ${text}`.match(/[A-Z]?[a-z]{3,}/g) ?? [])
    .map((word) => word.toLowerCase().replace(/s$/, ''))
    .filter(
      (word) => word.length > 3 && !/^(?:const|export|more|most|than|with|that|this)$/.test(word),
    )

/** What a number before a unit is in code, which has shares, milliseconds and bytes. */
const units = { '%': [0.01], s: [1e3], KB: [1e3, 2 ** 10], kB: [1e3], MB: [1e6, 2 ** 20] }
const figures = /(?<![\w@.,-])(\d[\d,]*(?:\.\d+)?|\.\d+)(?: ?(%|[kKM]B|s)(?!\w))?/g
/** Characters on both sides of a figure. */
const reach = 40

const readFigures = () =>
  ['', '-aggregator'].flatMap((part) => {
    const text = readFileSync(`docs/decisions${part}.md`, 'utf8')
    const plain = text.replace(/ \(\d{4}-\d\d-\d\d\)|^- \*\*Limits that were raised.*/gm, '')
    return [...plain.matchAll(figures)].map(({ 0: { length }, 1: digits, 2: unit, index }) => {
      const number = Number(digits.replaceAll(',', ''))
      const values = [1, ...(units[unit] ?? [])].map((it) => Number((number * it).toPrecision(12)))
      const around = plain.slice(Math.max(0, index - reach), index + length + reach)
      return {
        values: values.filter((value) => ![0, 1, 2].includes(value)),
        around: around.replace(/\n/g, ' '),
      }
    })
  })

/** Variables and properties that are a number, or a product or power of numbers. */
function constantsIn(path) {
  const text = readFileSync(path, 'utf8')
  const lines = text.split('\n')
  const found = []
  let depth = 0
  const enter = () => depth++
  const exit = () => depth--
  const add = (node) => {
    const value = depth === 0 && node ? numberOf(node) : undefined
    if (value === undefined) return
    const line = text.slice(0, node.start).split('\n').length
    const comment = /\*\/$/.test(lines[line - 2]) ? lines.slice(line - 4, line - 1).join(' ') : ''
    found.push({ path, line, comment, value, text: lines[line - 1].trim() })
  }
  const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
  new Visitor({
    ...Object.fromEntries(
      functions.flatMap((it) => [
        [it, enter],
        [`${it}:exit`, exit],
      ]),
    ),
    VariableDeclarator: ({ init }) => add(init),
    Property: ({ value }) => add(value),
  }).visit(parseSync(path, text).program)
  return found
}

function numberOf({ type, value, operator, left, right }) {
  if (type === 'Literal') return typeof value === 'number' ? value : undefined
  if (type !== 'BinaryExpression') return undefined
  const [a, b] = [numberOf(left), numberOf(right)]
  return operator === '*' ? a * b : operator === '**' ? a ** b : undefined
}
