import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { publishedLibraries } from './published.ts'

/** What every README of a library says, in this order; it may say more below its API. */
const skeleton = ['When to use it', 'When not to use it', 'API', 'Security', 'Compatibility']

describe.for(publishedLibraries)('%s', (name) => {
  const readme = readFileSync(`packages/${name}/README.md`, 'utf8')
  const titles = [...readme.matchAll(/^## (.*)$/gm)].map(([, title]) => title)

  test('has a README of the same shape as the others', () => {
    expect(readme.startsWith(`# @pith-mcp/${name}\n`)).toBe(true)
    expect(readme).toContain(`npm install @pith-mcp/${name}\n`)
    expect(titles.filter((title) => skeleton.includes(title ?? ''))).toEqual(skeleton)
  })

  test('names every error that it throws', () => {
    const { imports = {} } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'))
    // Errors may be declared in a private package that is compiled into this one.
    const codes = [name, ...Object.keys(imports).map((key) => key.slice(1, -2))]
      .flatMap((one) => errorFilesIn(`packages/${one}/src`))
      .map((file) => readFileSync(file, 'utf8'))
      .find((text) => text.includes('ErrorCode ='))
      ?.match(/Code =([^\n]|\n {2})+/)?.[0]
    if (!codes) return
    for (const [, code] of codes.matchAll(/'(\w+)'/g)) expect(readme).toContain(`\`${code}\``)
  })
})

function errorFilesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('-error.ts'))
    .map((file) => `${folder}/${file}`)
}

const libraries = publishedLibraries.filter((name) => existsSync(`packages/${name}/src/index.ts`))

test.for(libraries)('each public name of %s has a docstring', (name) => {
  const folder = `packages/${name}/src`
  const index = readFileSync(`${folder}/index.ts`, 'utf8')
  const missing = [...index.matchAll(/export (?:type )?\{([^}]*)\} from '([^']+)'/g)].flatMap(
    ([, names = '', file = '']) => {
      const path = file.startsWith('#')
        ? file.replace(/^#(\w+)/, 'packages/$1/src').concat('.ts')
        : `${folder}/${file}`
      const lines = readFileSync(path, 'utf8').split('\n')
      return names
        .split(',')
        .map((one) => one.replace(/\btype\b/, '').trim())
        .filter((one) => one !== '' && !hasDocstring(lines, one))
    },
  )
  expect(missing).toEqual([])
})

function hasDocstring(lines: readonly string[], name: string): boolean {
  const declaration = new RegExp(
    `^export (async |declare )?(interface|type|class|function\\*?|const) ${name}\\b`,
  )
  const at = lines.findIndex((line) => declaration.test(line))
  return lines[at - 1]?.endsWith('*/') === true
}
