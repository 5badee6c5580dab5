import { expect, test } from 'vitest'
import type { PackageReader } from '../src/declarations/export-graph.ts'
import { readModule } from '../src/declarations/module-syntax.ts'
import { typescriptDeclarations } from '../src/declarations/typescript-declarations.ts'

test.each([
  ['blanks', `export${' '.repeat(300_000)}x`],
  ['a string', `declare const quoted: '${"\\'".repeat(300_000)}`],
  ['lists', 'export {\n'.repeat(60_000)],
  ['comments', '/*'.repeat(400_000)],
])('%s without an end are read in a time that grows with their length', (_, text) => {
  expect(readModule(`${text}\n`).names.size).toBe(0)
})

test('files that all export all others are followed up to a number of steps', async () => {
  const files = Array.from({ length: 400 }, (_, at) => `f${at}`)
  const text = files.map((file) => `export * from './${file}'`).join('\n')
  const reader = {
    code: { outline: async () => ({ entries: [] }) },
    textOf: async (file: string) => `${text}\nexport { x as ${file} } from './f0'\n`,
    resolve: async (_: string, specifier: string) => specifier.slice(2),
  } as unknown as PackageReader
  const modules = files.map((file) => ({ name: file, file }))
  const { notes } = await typescriptDeclarations(modules, reader)
  expect(notes).toContain('Not all re-exports were followed: there are too many.')
})
