import { expect, test } from 'vitest'
import type { PackageReader } from '../src/declarations/export-graph.ts'
import { typescriptDeclarations } from '../src/declarations/typescript-declarations.ts'

test('files that all export all others are followed up to a number of steps', async () => {
  const files = Array.from({ length: 400 }, (_, at) => `f${at}`)
  const reader = {
    code: {
      declarations: async (file: string) => ({
        ...{ declarations: [], imports: [], hasErrors: false },
        stars: files.map((other) => `./${other}`),
        exports: [{ name: 'x', as: file, from: './f0' }],
      }),
    },
    textOf: async () => '',
    resolve: async (_: string, specifier: string) => specifier.slice(2),
  } as unknown as PackageReader
  const modules = files.map((file) => ({ name: file, file }))
  const { notes } = await typescriptDeclarations(modules, reader)
  expect(notes).toContain('Not all re-exports were followed: there are too many.')
})
