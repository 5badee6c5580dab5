import { expect, test } from 'vitest'
import type { Declaration } from '../src/index.ts'
import { codeFolder } from './code-folder.ts'

async function declared(path: string, text: string) {
  const { code, remove } = await codeFolder({ [path]: text })
  return code.declarations(path).finally(remove)
}

/** `name: signature (comment)`, with members below it. */
const outline = (declarations: readonly Declaration[], indent = ''): string[] =>
  declarations.flatMap(({ name, signature, comment, isExported, members }) => [
    `${indent}${isExported ? '' : '- '}${name}: ${signature.trim()}${comment && ` ${comment}`}`,
    ...outline(members, `${indent}  `),
  ])

test.for([
  [
    'export interface Point { /** across */ x: number; y(): number; (a: string): void; new (): Point; [key: string]: any }',
    [
      'Point: export interface Point',
      '  x: x: number /** across */',
      '  y: y(): number',
      '  (): (a: string): void',
      '  new: new (): Point',
      '  [key: string]: [key: string]: any',
    ],
  ],
  [
    'export class A<T> extends B.C<T> { private a: 1; static b = 2; get c(): T { return 1 as T } }',
    [
      'A: export class A<T> extends B.C<T>',
      '  a: private a: 1',
      '  b: static b = 2',
      '  c: get c(): T',
    ],
  ],
  ['declare enum E { A, B = 2 }', ['E: declare enum E', '  A: A', '  B: B = 2']],
  [
    'export type Options = Base & { /** wide */ a?: 1 }',
    ['Options: export type Options = Base & { … }', '  a: a?: 1 /** wide */'],
  ],
  [
    'export declare const a: { b: 1 }, c = () => 1',
    ['a: const a: { … }', '  b: b: 1', 'c: const c ='],
  ],
  [
    'export interface A { options: { /** deep */ b: { /** deeper */ c: 1 } } }',
    [
      'A: export interface A',
      '  options: options: { /** deep */ b: { /** deeper */ c: 1 } }',
      '  options.b: b: { /** deeper */ c: 1 } /** deep */',
      '  options.b.c: c: 1 /** deeper */',
    ],
  ],
  [
    'declare namespace a.b { interface C { d: 1 } }',
    [
      'a: declare namespace a.b',
      '  b: declare namespace a.b',
      '    C: interface C',
      '      d: d: 1',
    ],
  ],
  [
    'export {}; declare global { /** all */ var x: 1; namespace n { function f(): void } }',
    [
      'global: declare global',
      '  x: var x: 1 /** all */',
      '  n: namespace n',
      '    f: function f(): void',
    ],
  ],
  ['export {}; declare const hidden: 1', ['- hidden: const hidden: 1']],
  [
    '/** one */ export function f(a: 1): 1\n/** two */ export function f(a: 2): 2\n',
    ['f: export function f(a: 1): 1 /** one */', 'f: export function f(a: 2): 2 /** two */'],
  ],
])('%s', async ([text, expected]) => {
  const { declarations, hasErrors } = await declared('index.d.ts', text as string)
  expect(outline(declarations)).toEqual(expected)
  expect(hasErrors).toBe(false)
})

test('lists of exports and imports, and what a file belongs to', async () => {
  const { exports, imports, stars } = await declared(
    'index.d.ts',
    "/// <reference path='globals.d.ts' />\nimport a, { b as c } from './a'\nimport * as d from 'd'\nimport e = require('e')\nexport { c, type f as g }\nexport { default } from './h'\nexport * from './i'\nexport * as j from './j'\nexport type * from './k'\nexport default a\n",
  )
  expect(stars.sort()).toEqual(['./globals.d.ts', './i', './k'])
  expect(imports).toEqual([
    { name: 'default', as: 'a', from: './a' },
    { name: 'b', as: 'c', from: './a' },
    { name: '*', as: 'd', from: 'd' },
    { name: 'export=', as: 'e', from: 'e' },
  ])
  expect(exports).toEqual([
    { name: 'c', as: 'c' },
    { name: 'f', as: 'g' },
    { name: 'default', as: 'default', from: './h' },
    { name: '*', as: 'j', from: './j' },
    { name: 'a', as: 'default' },
  ])
})

test('only what is exported expressly is, where there is a list of exports, and in sources', async () => {
  const inFile = async (path: string, text: string) =>
    (await declared(path, text)).declarations.map(({ isExported }) => isExported)
  const text = 'export declare const a: 1\ndeclare const b: 1\n'
  expect(await inFile('a.d.ts', text)).toEqual([true, true])
  expect(await inFile('a.d.ts', `${text}export {}`)).toEqual([true, false])
  expect(await inFile('a.ts', text)).toEqual([true, false])
})

test('what the parser does not know between declarations is said, and in a signature it is text', async () => {
  expect((await declared('a.d.ts', 'export interface A { a: 1; ??? b: 2 }')).hasErrors).toBe(true)
  const known = await declared('a.d.ts', 'export declare const a: import("./b.js").C[]\n')
  expect(known.hasErrors).toBe(false)
  expect(known.declarations[0]?.signature).toBe('const a: import("./b.js").C[]')
})

test('the documentation of Python is the first statement of its own body', async () => {
  const { declarations } = await declared(
    'a.py',
    'class A:\n    x = 1\n    def f(self):\n        """Of f."""\n\nclass B:\n    # first\n    r\'\'\'Of B.\'\'\'\n\nif True:\n    def g(a={":": 1}): "Of g."\n',
  )
  const comments = declarations.flatMap((each) => [each, ...each.members])
  expect(comments.map(({ name, comment }) => [name, comment])).toEqual([
    ['A', ''],
    ['x', ''],
    ['f', '"""Of f."""'],
    ['B', "r'''Of B.'''"],
    ['g', '"Of g."'],
  ])
})

test('attributes of decorated classes, nested ones, and what stands after or above them', async () => {
  const { declarations } = await declared(
    'a.py',
    '@dataclass\nclass A:\n    "Of A."\n    x: int\n    "Of x."\n    y: str = "d"\n    class I:\n        def m(self): pass\n#: Of C.\nC = 3\nclass S: a = 1; b: int = 2\np, q = 1, 2\nself.z = 1\n',
  )
  expect(outline(declarations)).toEqual([
    'A: @dataclass\nclass A "Of A."',
    '  x: x: int "Of x."',
    '  y: y: str = "d"',
    '  I: class I',
    '    m: def m(self)',
    'C: C = 3 #: Of C.',
    'S: class S',
    '  a: a = 1',
    '  b: b: int = 2',
    'p: p, q = 1, 2',
    'q: p, q = 1, 2',
  ])
})

test.for([
  ['namespaces', 'namespace a { '.repeat(20_000)],
  ['object types', `type A = ${'{ a: '.repeat(20_000)}`],
  ['parentheses', `type A = ${'('.repeat(20_000)}`],
  ['lists', 'export {\n'.repeat(60_000)],
  ['comments', '/*'.repeat(400_000)],
  ['a string', `declare const quoted: '${"\\'".repeat(300_000)}`],
])('%s without an end are read, or are an error', async ([, text = '']) => {
  const read = await declared('a.d.ts', text).catch(({ code }: { code: string }) => code)
  expect(['object', 'string']).toContain(typeof read)
})
