import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import { sourceFiles } from './read-package.mjs'

const clocks = new Set(['performance.now', 'Date.now', 'AbortSignal.timeout'])

/** How many clocks each source file reads. */
export const clocksByFile = () =>
  Object.fromEntries(
    ['packages', 'apps']
      .flatMap((room) => readdirSync(room).map((name) => join(room, name)))
      .flatMap((folder) => sourceFiles(folder).map((name) => join(folder, name)))
      .map((file) => [file, clocksIn(file)])
      .filter(([, count]) => count > 0),
  )

function clocksIn(file) {
  const text = readFileSync(file, 'utf8')
  let count = 0
  new Visitor({
    MemberExpression({ start, end }) {
      if (clocks.has(text.slice(start, end))) count++
    },
    CallExpression({ callee }) {
      if (callee.name === 'timeLimit') count++
    },
  }).visit(parseSync(file, text).program)
  return count
}
