import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { describeDeclarations } from '../src/declarations/describe-declarations.ts'
import { npmDeclarations } from '../src/libraries/declarations.ts'

async function describePackage(manifest: object, files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder(onTestFinished)
  for (const [path, text] of Object.entries({
    ...files,
    'package.json': JSON.stringify(manifest),
  })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const library = { ecosystem: 'npm', name: 'shape', version: '1', group: 'dependencies' } as const
  const declarations = await npmDeclarations(library, folder)
  return {
    files: declarations.modules.map(({ file }) => file),
    ...(await describeDeclarations(declarations)),
  }
}

test.for<[object, string[], string]>([
  [{ types: 'a.d.ts' }, ['a.d.ts'], 'a.d.ts'],
  [{ main: 'source' }, ['index.d.ts'], 'index.d.ts'],
  [{ main: 'lib/b.js' }, ['lib/b.d.ts', 'index.d.ts'], 'lib/b.d.ts'],
  [
    { exports: { '.': { require: './c.cjs', import: './d.mjs' } } },
    ['c.d.cts', 'd.d.mts'],
    'd.d.mts',
  ],
  [{ exports: { '.': { require: './c.cjs' } } }, ['c.d.cts'], 'c.d.cts'],
  [
    {
      exports: {
        '.': { 'types@>=5.2': './new.d.ts', 'types@<4': './no.d.ts', types: './old.d.ts' },
      },
    },
    ['new.d.ts', 'old.d.ts', 'no.d.ts'],
    'new.d.ts',
  ],
  [{ exports: { '.': { default: './e.js', types: './f.d.ts' } } }, ['e.d.ts', 'f.d.ts'], 'e.d.ts'],
  [
    {
      types: 'index.d.ts',
      typesVersions: { '<4': { '*': ['old/*'] }, '*': { 'x*': ['no/*'], '*': ['dist/*'] } },
    },
    ['index.d.ts', 'dist/index.d.ts', 'old/index.d.ts'],
    'dist/index.d.ts',
  ],
])('of %j the file that TypeScript takes is read', async ([manifest, paths, expected]) => {
  const { files, names, notes } = await describePackage(
    manifest,
    Object.fromEntries(paths.map((path) => [path, 'declare const hidden: 1\nexport {}'])),
  )
  expect(files[0]).toBe(expected)
  expect(names).toEqual([])
  expect(notes[0]).toBe(`No exported names in ${files.join(', ')}.`)
})

test('a default export says so, and only its own file exports it', async () => {
  const { names } = await describePackage(
    { types: 'index.d.ts' },
    {
      'index.d.ts':
        "declare const _default: 1\nexport { _default as default }\nexport * from './p'\n",
      'p.d.ts': 'export default interface Inner { a: 1 }\nexport interface Other { b: 2 }\n',
    },
  )
  expect(names.map(({ name, aliases }) => [name, aliases])).toEqual([
    ['_default', ['default']],
    ['Other', []],
  ])
})

test('members of what a type extends are named, also from other files', async () => {
  const { names, notes } = await describePackage(
    { types: 'index.d.ts' },
    {
      'index.d.ts':
        "import { Base as B } from './base'\nexport interface Top extends B { own: 1; __hidden: 2 }\nexport class C { private x: 1 }\n",
      'base.d.ts': '/** x */\nexport interface Base { /** wide */ inherited: 1; own: 3 }\n',
    },
  )
  expect(names[0]?.members).toEqual([
    { name: 'own', signatures: ['own: 1'], comment: '' },
    { name: 'inherited', signatures: ['inherited: 1'], comment: 'From `B`. wide' },
  ])
  expect(notes).toEqual(['Members not listed, private, protected or named `_…`: 2.'])
})
