import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import { sourceFiles } from './read-package.mjs'

const libraries = [
  'cleaner',
  'scorer',
  'paginator',
  'docs',
  'code',
  'servers',
  'scan',
  'sandbox',
  'oauth',
  'journal',
  'aggregator',
  'replicas',
]
const folders = [...libraries.map((name) => `packages/${name}`), 'apps/docs-mcp']

/** Lehmer's generator, so that a sample can be drawn again. */
function* numbersFrom(seed) {
  let state = seed
  while (true) {
    state = (state * 48_271) % (2 ** 31 - 1)
    yield state
  }
}

/**
 * Constants of modules in a drawn order, each with what decisions say around its value next to a
 * word of its name, comment or file. Whether they mean it is for a reader to judge.
 */
export function drawConstants(count, seed) {
  const left = folders.flatMap((folder) =>
    sourceFiles(folder).flatMap((file) => constantsIn(join(folder, file))),
  )
  const figures = readFigures()
  const drawn = []
  for (const number of numbersFrom(seed)) {
    if (drawn.length === count || left.length === 0) return drawn
    const [constant] = left.splice(number % left.length, 1)
    const words = (constant.about.match(/[A-Z]?[a-z]{3,}/g) ?? [])
      .map((word) => word.toLowerCase().replace(/s$/, ''))
      .filter((word) => word.length > 3 && !common.test(word))
    const around = figures
      .filter(
        ({ values, text }) =>
          values.includes(constant.value) &&
          words.some((word) => text.toLowerCase().includes(word)),
      )
      .map(({ text }) => text)
    if (around.length > 0) drawn.push({ ...constant, around })
  }
}

const common = /^(?:const|export|more|most|than|with|that|this)$/
/** What a number before a unit is in code, which has shares, milliseconds and bytes. */
const units = { '%': [0.01], s: [1e3], KB: [1e3, 2 ** 10], kB: [1e3], MB: [1e6, 2 ** 20] }
const figure = /(?<![\w@.,-])(\d[\d,]*(?:\.\d+)?|\.\d+)(?: ?(%|[kKM]B|s)(?!\w))?/g
/** Too common to mean anything; dates and limits of this repository are no constants. */
const trivial = [0, 1, 2]
const others = / \(\d{4}-\d\d-\d\d\)|^- \*\*Limits that were raised.*/gm

/** The numbers of the decisions, each with forty characters on both sides. */
const readFigures = () =>
  ['decisions', 'decisions-aggregator'].flatMap((name) => {
    const all = readFileSync(`docs/${name}.md`, 'utf8').replace(others, '')
    return [...all.matchAll(figure)].map(({ 0: { length }, 1: digits, 2: unit, index }) => {
      const values = [1, ...(units[unit] ?? [])]
        .map((factor) => Number((Number(digits.replaceAll(',', '')) * factor).toPrecision(12)))
        .filter((value) => !trivial.includes(value))
      return {
        values,
        text: all.slice(Math.max(0, index - 40), index + length + 40).replace(/\n/g, ' '),
      }
    })
  })

/** Variables and properties outside of functions that are a number, or a product of numbers. */
function constantsIn(path) {
  const text = readFileSync(path, 'utf8')
  const lines = text.split('\n')
  const found = []
  let depth = 0
  const note = (node) => {
    const source = depth === 0 && node ? text.slice(node.start, node.end).replaceAll('_', '') : ''
    if (!/^\d[\w.]*(?: \*\*? [\d.]+)*$/.test(source)) return
    const line = text.slice(0, node.start).split('\n').length
    const comment = lines[line - 2]?.endsWith('*/') ? lines.slice(line - 4, line - 1).join(' ') : ''
    const code = lines[line - 1].trim()
    const about = `${basename(path, '.ts')} ${comment} ${code}`
    found.push({ path, line, code, about, value: new Function(`return ${source}`)() })
  }
  const visitor = {
    VariableDeclarator: ({ init }) => note(init),
    Property: ({ value }) => note(value),
  }
  for (const type of ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
    Object.assign(visitor, { [type]: () => depth++, [`${type}:exit`]: () => depth-- })
  new Visitor(visitor).visit(parseSync(path, text).program)
  return found
}
