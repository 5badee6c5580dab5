import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Shorter runs of equal lines are coincidence. */
const minRun = 5

/**
 * Lines of the apps that another app has too, in runs of at least five. Blank lines, comments,
 * imports and lone brackets neither count nor interrupt a run.
 */
export function sharedLines() {
  const apps = readdirSync('apps').map((name) => ({ name, files: filesIn(`apps/${name}/src`) }))
  return apps.flatMap((app) => {
    const others = apps.filter((other) => other !== app).flatMap(({ files }) => files)
    const known = new Set(others.flatMap(({ lines }) => runsIn(lines).map(({ text }) => text)))
    return app.files.flatMap(({ path, lines }) => {
      const shared = runsIn(lines).filter(({ text }) => known.has(text))
      const numbers = new Set(shared.flatMap((run) => run.numbers))
      return numbers.size === 0 ? [] : [{ path, lines: [...numbers].sort((a, b) => a - b) }]
    })
  })
}

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({
      path: join(folder, name),
      lines: linesOf(readFileSync(join(folder, name), 'utf8')),
    }))

function linesOf(source) {
  const withoutImports = source.replace(/^(?:import|export) [^;]*? from '.*'$/gms, (text) =>
    text.replace(/[^\n]/g, ''),
  )
  return withoutImports
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line.trim() }))
    .filter(({ text }) => /[\w]/.test(text) && !/^(?:\/\/|\/\*|\*)/.test(text))
}

const runsIn = (lines) =>
  lines.slice(0, Math.max(0, lines.length - minRun + 1)).map((_, index) => {
    const run = lines.slice(index, index + minRun)
    return {
      text: run.map(({ text }) => text).join('\n'),
      numbers: run.map(({ number }) => number),
    }
  })
