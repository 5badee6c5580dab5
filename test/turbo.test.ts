import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

/** A task as `turbo run --dry=json` describes it; `inputs` are paths from `directory`. */
interface Task {
  taskId: string
  task: string
  package: string
  directory: string
  command: string
  dependencies: string[]
  inputs: Record<string, string>
  environmentVariables: { specified: { env: string[] } }
}

const plan = execFileSync(
  process.execPath,
  ['node_modules/turbo/bin/turbo', 'run', 'test', '--dry=json'],
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 },
)
const { tasks } = JSON.parse(plan) as { tasks: Task[] }
const suites = tasks.filter(({ task, command }) => task === 'test' && command !== '<NONEXISTENT>')

const packages = ['packages', 'apps', 'examples', '.']
  .flatMap((room) => readdirSync(room).map((name) => join(room, name)))
  .filter((folder) => existsSync(join(folder, 'package.json')))

test('turbo test runs the tests of each package that has some, and of no other', () => {
  const tested = packages.filter((folder) => existsSync(join(folder, 'test')))
  expect(suites.map(({ directory }) => directory).sort()).toEqual(tested.sort())
  for (const { directory, command } of suites) {
    const name = directory.split('/')[1]
    // Its tests that start the built program are a project of their own.
    const others = name === 'aggregator-mcp' ? ' --project running' : ''
    expect(command).toBe(`cd ../.. && vitest run --project ${name}${others}`)
  }
})

describe.each(suites)('the cache of the tests of $package', (suite) => {
  const files = filesRead(suite.directory)

  test('depends on the files outside the package that they read', () => {
    const behind = tasksBehind(suite)
    const hashed = behind.flatMap(({ directory, inputs }) =>
      Object.keys(inputs).map((path) => join(directory, path)),
    )
    const isHashed = (file: string) =>
      file.includes('/dist/')
        ? behind.some(({ task, directory }) => task === 'build' && !isOutside(directory, file))
        : hashed.some((path) => path === file || path.startsWith(`${file}/`))
    const outside = files.filter((file) => isOutside(suite.directory, file))
    expect(outside.filter((file) => !isHashed(file))).toEqual([])
  })

  test('depends on the variables that they read', () => {
    const variables = files
      .filter(isSource)
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/process\.env\['([A-Z_]+)'\]/g)])
      .map(([, name]) => name)
    const { env } = suite.environmentVariables.specified
    expect(variables.filter((name) => !env.includes(name ?? ''))).toEqual([])
  })
})

/** A task, and all tasks whose hashes are a part of its own. */
function tasksBehind(task: Task): Task[] {
  const reached = new Set([task])
  for (const { dependencies } of reached)
    for (const one of tasks) if (dependencies.includes(one.taskId)) reached.add(one)
  return [...reached]
}

/** The files of the tests of a package, and what they name by a relative path. */
function filesRead(folder: string): string[] {
  const names = readdirSync(join(folder, 'test'), { recursive: true, encoding: 'utf8' })
  const reached = new Set(names.map((name) => join(folder, 'test', name)).filter(isSource))
  for (const file of reached)
    if (isSource(file))
      for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
        /['"`](\.\.?\/[^'"`\n$]+)['"`]/g,
      )) {
        const target = normalize(join(dirname(file), path)).replace(/\/$/, '')
        if (isOutside(folder, target) && (existsSync(target) || target.includes('/dist/')))
          reached.add(target)
      }
  return [...reached]
}

const isOutside = (folder: string, file: string) => relative(folder, file).startsWith('..')
const isSource = (file: string) =>
  /\.(ts|tsx|mjs)$/.test(file) && !/\/(fixtures|dist)\//.test(file) && existsSync(file)
