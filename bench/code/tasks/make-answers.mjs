// Fill in the answers of tasks.json from the repositories in a folder, and their commits:
//   node make-answers.mjs --repos FOLDER
// Of a task, `in` is the file that its name is in, `not` are lines of it or of hits that were read
// by hand and are no answers. Answers `by` hand stay; of descriptions their names are looked up here.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { factsOf, isTest } from './oracles.mjs'

const { values } = parseArgs({ options: { repos: { type: 'string' } } })
const path = new URL('tasks.json', import.meta.url)
const { repositories, tasks } = JSON.parse(readFileSync(path, 'utf8'))
let facts
let root

const last = (name) => name.split(/::|[.#]/).at(-1)
const linesOf = (file) => readFileSync(join(root, file), 'utf8').split('\n')

function definitionOf({ name, in: file, not = [], kind }) {
  const [, owner] = /(\w+)(?:::|[.#])[^.:#]+$/.exec(name) ?? []
  const definitions = facts
    .get(file)
    .defs.filter(
      (def) =>
        def.name === last(name) &&
        def.kind !== 'impl' &&
        !not.includes(def.line) &&
        (!owner || RegExp(`\\b${owner}\\b`).test(def.scope)),
    )
  const ofKind = kind.endsWith('where')
    ? definitions.slice(0, 1)
    : definitions.filter((def) => def.kind !== 'value')
  const best = ofKind.length > 1 ? ofKind.filter((def) => def.kind === 'class') : ofKind
  if (best.length !== 1)
    throw new Error(`${name}: ${best.length} in ${file}: ${JSON.stringify(best)}`)
  return best[0]
}

/** The innermost named function around a line, else class; its names from the outside in. */
function around(file, line) {
  const holders = facts
    .get(file)
    .defs.filter(
      (def) => def.kind !== 'value' && def.kind !== 'impl' && def.line <= line && line <= def.end,
    )
  const functions = holders.filter(({ kind }) => kind === 'function')
  const [inner] = (functions.length > 0 ? functions : holders).sort((a, b) => b.line - a.line)
  return `${file}#${inner?.name ?? ''}`
}

const answers = {
  read(task) {
    const { line, end } = definitionOf(task)
    const text = linesOf(task.in)
      .slice(line - 1, end)
      .join('\n')
    return {
      file: task.in,
      lines: [line, end],
      sha: createHash('sha256').update(text).digest('hex').slice(0, 12),
    }
  },
  where: (task) => ({ file: task.in, line: definitionOf(task).line }),
  methods(task) {
    const { line, end, name } = definitionOf(task)
    const within = ({ kind, line: at, scope }) =>
      kind === 'function' && at > line && at <= end && RegExp(`\\b${name}$`).test(scope)
    const methods = facts
      .get(task.in)
      .defs.filter(
        (def) =>
          within(def) ||
          (def.kind === 'function' && /\.(?:go|rs)$/.test(task.in) && last(def.scope) === name),
      )
    const bottom = Math.max(...methods.map((def) => def.end))
    return {
      file: task.in,
      lines: [line, bottom],
      names: [...new Set(methods.map((def) => def.name))],
    }
  },
  calls(task) {
    const target = definitionOf(task)
    const all = [...facts].flatMap(([file, { calls }]) =>
      calls.filter(([name]) => name === target.name).map(([, line]) => [file, line]),
    )
    const sites = all.filter(
      ([file, line]) => !isTest(file) && !task.not?.includes(`${file}:${line}`),
    )
    return { sites: [...new Set(sites.map(([file, line]) => around(file, line)))].sort() }
  },
  implements(task) {
    const sites = [...facts].flatMap(([file, { defs }]) =>
      defs
        .filter(
          ({ bases, line }) =>
            bases.includes(task.name) && !isTest(file) && !task.not?.includes(`${file}:${line}`),
        )
        .map(({ name }) => `${file}#${name}`),
    )
    return { sites: [...new Set(sites)].sort() }
  },
  description({ answer }) {
    for (const place of answer.places) {
      const [file, name] = place.split('#')
      if (!facts.get(file)?.defs.some((def) => def.name === name))
        throw new Error(`${place} is not there`)
    }
    return answer
  },
  'small-methods': (task) => ({
    file: task.in,
    names: [
      ...new Set(
        facts
          .get(task.in)
          .defs.filter(({ kind }) => kind === 'function')
          .map(({ name }) => name),
      ),
    ],
  }),
  'small-text'(task) {
    const hits = execFileSync('rg', ['-n', '-F', task.name, '.'], { cwd: root, encoding: 'utf8' })
      .trim()
      .split('\n')
    const sources = hits
      .map((hit) => hit.slice(2).split(':'))
      .filter(([file]) => facts.has(file) && !isTest(file))
    if (sources.length !== 1) throw new Error(`${task.name}: ${hits.join('\n')}`)
    return { file: sources[0][0], line: Number(sources[0][1]) }
  },
}
answers['small-calls'] = answers.calls
answers['small-where'] = answers.where

for (const repo of Object.keys(repositories)) {
  root = resolve(values.repos, repo)
  repositories[repo] =
    `${repositories[repo].split('@')[0]}@${execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()}`
  const tasksOfRepo = tasks.filter((task) => task.repo === repo)
  facts = factsOf(root)
  for (const task of tasksOfRepo.filter(({ by, kind }) => !by || kind === 'description'))
    try {
      task.answer = answers[task.kind](task)
    } catch (error) {
      console.error(`${task.id}: ${error.message}`)
      process.exitCode = 1
    }
}
const rows = tasks.map((task) => `    ${JSON.stringify(task)}`).join(',\n')
const names = Object.entries(repositories).map(
  (entry) => `    ${entry.map((part) => JSON.stringify(part)).join(': ')}`,
)
writeFileSync(
  path,
  `{\n  "repositories": {\n${names.join(',\n')}\n  },\n  "tasks": [\n${rows}\n  ]\n}\n`,
)
