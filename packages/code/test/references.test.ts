import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { type CodeFolder, codeFolder } from './code-folder.ts'

type Files = Readonly<Record<string, string>>

/** As bytes, and by an index of what is older than two seconds. */
describe.each(['bytes', 'an index'])('by %s,', (source) => {
  const clock = Date.now
  const opened: (() => Promise<void>)[] = []
  beforeAll(() => {
    if (source === 'an index') Date.now = () => clock() + 60_000
  })
  afterAll(async () => {
    Date.now = clock
    for (const close of opened) await close()
  })

  async function folderOf(files: Files): Promise<CodeFolder> {
    const cacheFolder = temporaryFolder(onTestFinished)
    const it = await codeFolder(files, source === 'an index' ? { cacheFolder } : {})
    await it.code.index()
    opened.push(it.remove)
    return it
  }

  /** `file symbol kind lines` of each use. */
  async function usesOf(files: Files, name: string, options = {}): Promise<string[]> {
    const { code } = await folderOf(files)
    const references = await code.references(name, options)
    return references.files.flatMap(({ file, usedIn }) =>
      usedIn.map(({ symbol = '-', kind, lines }) => `${file} ${symbol} ${kind} ${lines}`),
    )
  }

  test('calls are grouped by the symbol around them, and tests come last', async () => {
    const files = {
      'a.test.ts': 'import { run } from "./run"\nrun()\n',
      'run.ts': 'export function run() {}\n',
      'z.ts':
        'import { run } from "./run"\nclass Z {\n  go() {\n    run()\n    run()\n  }\n}\nrun()\n',
    }
    expect(await usesOf(files, 'run')).toEqual([
      'z.ts Z/go call 4,5',
      'z.ts - call 8',
      'a.test.ts - call 2',
    ])
    expect(await usesOf(files, 'run', { kind: 'tests' })).toEqual(['a.test.ts - call 2'])
    expect(await usesOf(files, 'run', { path: 'z.ts' })).toHaveLength(2)
  })

  test.each<[string, string, number?]>([
    ['a.ts', 'interface Base {}\nclass A implements Base {}\nclass B extends C<Base> {}\n'],
    ['A.java', 'interface Base {}\nclass A implements Base {}\nclass B extends C<Base> {}\n'],
    ['a.py', 'class Base: pass\nclass A(Base): pass\nx = Base()\n'],
    ['a.rs', 'trait Base {}\nimpl Base for A {}\nfn f(x: Base) {}\n'],
    ['a.cpp', 'class Base {};\nclass A : public Base {};\nBase x;\n'],
    ['a.rb', 'class Base; end\nclass A < Base\nend\nBase.new\n'],
    ['b.rb', 'module Base\nend\nclass A\n  include Base\nend\n', 4],
    ['a.go', 'package p\ntype Base struct{}\ntype A struct {\n\t*Base\n\tx Base\n}\n', 4],
    ['a.php', '<?php\ntrait Base {}\nclass A {\n  use Base;\n  function f(Base $x) {}\n}\n', 4],
  ])(
    'what extends or implements a type is distinguished from its other uses: %s',
    async (file, text, line = 2) => {
      const uses = await usesOf({ [file]: text }, 'Base', { kind: 'implementations' })
      expect(uses).toEqual([expect.stringMatching(` extends ${line}$`)])
    },
  )

  test('imports of JavaScript are followed by alias, as a module and through a barrel', async () => {
    const files = {
      'lib/make.ts': 'export const make = () => 1\n',
      'lib/index.ts': 'export { make } from "./make"\n',
      'alias.ts': 'import {\n  // a "note"\n  make as build } from "./lib"\nbuild()\nmake()\n',
      'whole.ts': 'import * as all from "./lib"\nall.make()\nother.make()\n',
      'lazy.ts': 'const { make } = await import("./lib/make.js")\nmake()\n',
      'type.ts': 'let x: typeof import("./lib/make").make\n',
      'then.ts': 'import("./lib").then((m) => m.make())\n',
      'none.ts': 'make()\n// make\nconst text = "make"\n',
    }
    expect((await usesOf(files, 'make')).toSorted()).toEqual([
      'alias.ts - call 4',
      'lazy.ts - call 2',
      'then.ts - call 1',
      'type.ts - use 1',
      'whole.ts - call 2',
    ])
  })

  test.each<[string, Files, string[]]>([
    [
      'a name in braces',
      {
        'a.ts': 'function boil() {}\nexport { boil as heat }\n',
        'b.ts': 'import { heat } from "./a"\nheat()\n',
      },
      ['b.ts - call 2'],
    ],
    [
      'the default of a class',
      {
        'a.ts': 'export default class boil {}\n',
        'b.ts': 'import Kettle from "./a"\nnew Kettle()\n',
      },
      ['b.ts - call 2'],
    ],
    [
      'barrels that rename twice',
      {
        'lib/a.ts': 'export default function boil() {}\n',
        'lib/index.ts': 'export { default as heat } from "./a"\n',
        'main.ts': 'export { heat as warm } from "./lib"\n',
        'b.ts': 'import { warm as w } from "./main"\nw()\n',
      },
      ['b.ts - call 2'],
    ],
    [
      'a barrel of all',
      {
        'lib/a.ts': 'const boil = () => 1\nexport { boil as heat }\n',
        'lib/index.ts': 'export * from "./a"\n',
        'b.ts': 'import { heat } from "./lib/index.js"\nheat()\n',
      },
      ['b.ts - call 2'],
    ],
    [
      'CommonJS',
      {
        'a.js': 'function boil() {}\nmodule.exports = { heat: boil }\n',
        'b.js': 'const { heat } = require("./a")\nheat()\n',
        'c.js': 'const a = require("./a")\na.heat()\n',
        'd.js': 'exports.warm = require("./a").heat\n',
      },
      ['a.js - use 2', 'b.js - call 2', 'c.js - call 2'],
    ],
    [
      'a value of a module',
      {
        'a.js': 'function boil() {}\nmodule.exports = boil\n',
        'b.js': 'const heat = require("./a")\nheat()\n',
      },
      ['a.js - use 2', 'b.js - call 2'],
    ],
    [
      'a member of an object',
      {
        'lib/a.ts': 'export function boil() {}\n',
        'lib/index.ts': 'import { boil } from "./a"\nexport const pots = { boil, heat: boil }\n',
        'b.ts': 'import { pots } from "./lib"\npots.boil()\npots.heat()\nother.heat()\n',
      },
      ['b.ts - call 2,3', 'lib/index.ts - use 2'],
    ],
    [
      'a package of the project',
      {
        'packages/pot/package.json': '{"name": "@kitchen/pot"}',
        'packages/pot/src/a.ts': 'function boil() {}\nexport { boil as heat }\n',
        'apps/b/package.json': '{"name": "b", "dependencies": {"@kitchen/pot": "*"}}',
        'apps/b/b.ts': 'import { heat } from "@kitchen/pot"\nheat()\n',
      },
      ['apps/b/b.ts - call 2'],
    ],
    [
      'a package of Python',
      {
        'pkg/__init__.py': 'from .a import boil as heat\n',
        'pkg/a.py': 'def boil(): pass\n',
        'b.py': 'from pkg import heat\nimport pkg as p\nheat()\np.heat()\n',
      },
      ['b.py - call 3,4'],
    ],
  ])('uses under another exported name are found: %s', async (_, files, expected) => {
    expect((await usesOf(files, 'boil')).toSorted()).toEqual(expected)
  })

  test('what a package exports is no use of a file with the same name', async () => {
    const files = {
      'package.json': '{"dependencies": {"react": "1"}}',
      'src/react.ts': 'export function useId() {}\n',
      'a.ts': 'import { useId } from "./src/react"\nuseId()\n',
      'b.ts': 'import { useId } from "react"\nuseId()\n',
      'c.ts': 'import { useId } from "@/react"\nuseId()\n',
    }
    const { code } = await folderOf(files)
    const { files: found, others } = await code.references('useId')
    expect(found.map(({ file }) => file)).toEqual(['a.ts', 'c.ts'])
    expect(others).toMatchObject({ count: 2, lines: [{ file: 'b.ts', line: 1 }, { line: 2 }] })
  })

  test('every line with the name is a definition, a use, an import or is listed', async () => {
    const text = ['// boil', 'const text = "boil"', 'kettle.boil()', 'function f(boil) {}']
    const files = {
      'a.ts': 'export function boil() {}\n',
      'b.ts': `import { boil } from './a'\nboil()\n${text.join('\n')}\n`,
      'notes.html': '<p>boil</p>\n',
    }
    const { code } = await folderOf(files)
    const { rest, others, files: found } = await code.references('boil')
    expect(found).toMatchObject([{ file: 'b.ts', usedIn: [{ lines: [2] }] }])
    expect(rest.lines.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'b.ts:3',
      'b.ts:4',
      'b.ts:5',
      'notes.html:1',
    ])
    expect(others).toMatchObject({ count: 1, lines: [{ file: 'b.ts', line: 6 }] })
  })

  test.each([
    ['a.rb', 'def boil(n) n end\nputs "#{boil(1)}"\nboil 2\n'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is of the language.
    ['a.kt', 'fun boil(n: Int) = n\nval a = "${boil(1)}"\nval b = "$boil"\n'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is of the language.
    ['a.dart', 'int boil(int n) => n;\nvar a = "${boil(1)}";\nvar b = boil;\n'],
    ['a.cs', 'class A { int boil(int n) => n;\nstring a = $"{boil(1)}";\nint b = boil(2); }\n'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is of the language.
    ['a.scala', 'def boil(n: Int) = n\nval a = s"${boil(1)}"\nval b = boil _\n'],
    ['a.swift', 'func boil(_ n: Int) -> Int { n }\nlet a = "\\(boil(1))"\nlet b = boil\n'],
    ['a.sh', 'boil() { :; }\necho "$(boil 1)"\nboil 2\n'],
    ['a.lua', 'local function boil(n) return n end\nlocal a = boil "x"\nboil{}\n'],
    ['a.rs', 'macro_rules! boil { () => {} }\nfn a() { boil!() }\nfn b() { boil![] }\n'],
    ['a.php', '<?php\nfunction boil($n) {} boil(1);\n#[boil]\nfunction b() {}\n'],
  ])('uses without parentheses or in a text are uses: %s', async (file, text) => {
    const uses = await usesOf({ [file]: text }, 'boil')
    const lines = uses.flatMap((use) => use.split(' ').at(-1)?.split(',') ?? [])
    expect(lines.toSorted()).toEqual(['2', '3'])
  })

  test.each([
    ['a.kt', 'class as\nval b = x as Int\n'],
    ['a.ts', 'export const of = 1\nfor (const x of list) {}\n'],
    ['a.cs', 'class A { int get() => 1; int B { get { return 1; } } }\n'],
  ])('a word of the language is no use: %s', async (file, text) => {
    const [, name = ''] = /\b(as|of|get)\b/.exec(text) ?? []
    expect((await usesOf({ [file]: text }, name)).filter((use) => / 2$/.test(use))).toEqual([])
  })

  test('a qualified name is that of its holder, and a type of a parameter is no base', async () => {
    const files = {
      'A.kt': 'class A {\n  open class Base\n}\nclass B {\n  open class Base\n}\n',
      'U.kt': 'class C : A.Base()\nclass D : B.Base()\nclass E(x: A.Base) : F()\n',
    }
    const uses = await usesOf(files, 'A/Base', { kind: 'implementations' })
    expect(uses).toEqual(['U.kt C extends 1'])
  })

  test.each([
    [
      'A.java',
      'interface Base {}\nclass B {\n  Base b = new Base() {\n  };\n  Base c = new Base();\n}\n',
    ],
    ['a.kt', 'interface Base\nclass B {\n  val b = object : Base {\n  }\n  val c: Base = b\n}\n'],
    ['a.scala', 'trait Base\nclass B {\n  val b = new Base {\n  }\n  val c: Base = b\n}\n'],
  ])('a type without a name implements it too: %s', async (file, text) => {
    const uses = await usesOf({ [file]: text }, 'Base', { kind: 'implementations' })
    expect(uses.map((use) => use.split(' ').at(-1))).toEqual(['3'])
  })

  test('a script without an extension is read, and a file that is named, whatever it is', async () => {
    const files = {
      'bin/run': '#!/usr/bin/env bash\nboil() { :; }\nboil\n',
      'bin/data': 'boil\n',
      'pots.conf': 'boil = 1\n',
    }
    const { code } = await folderOf(files)
    expect((await code.findFunctions('boil')).hits).toMatchObject([{ id: 'bin/run#boil' }])
    const { definitions, files: found } = await code.references('boil')
    expect(definitions).toMatchObject([{ file: 'bin/run' }])
    expect(found).toMatchObject([{ file: 'bin/run', usedIn: [{ lines: [3] }] }])
    const { rest } = await code.references('boil', { path: 'pots.conf' })
    expect(rest).toMatchObject({ lines: [{ file: 'pots.conf', line: 1 }] })
  })

  test('types of Go with the methods of an interface implement it', async () => {
    const files = {
      'io/io.go': 'package io\ntype Closer interface {\n\tClose() error\n}\n',
      'p/pot.go':
        'package p\nimport "k/io"\ntype Pot interface {\n\tio.Closer\n\tFill(n, m int, more ...string) (int, error)\n}\n',
      'p/kettle.go':
        'package p\ntype Kettle struct{}\nfunc (k *Kettle) Fill(a int, b int, _ ...string) (n int, err error) { return 0, nil }\n',
      'p/close.go':
        'package p\nfunc (k Kettle) Close() error { return nil }\ntype Big struct {\n\t*Kettle\n}\n',
      'q/other.go':
        'package q\ntype Pan struct{}\nfunc (p Pan) Fill(n int) (int, error) { return 0, nil }\nfunc (p Pan) Close() error { return nil }\n',
    }
    const { code } = await folderOf(files)
    const { implementers } = await code.references('Pot')
    expect(implementers).toEqual({
      types: [
        { file: 'p/close.go', symbol: 'Big', line: 3, isTest: false },
        { file: 'p/kettle.go', symbol: 'Kettle', line: 2, isTest: false },
      ],
      unknown: [],
      isCut: false,
    })
    const { implementers: closers } = await code.references('Closer', { path: 'q' })
    expect(closers?.types.map(({ symbol }) => symbol).toSorted()).toEqual(['Big', 'Kettle', 'Pan'])
  })

  test('imports of Python are followed, and what the standard library calls so is not', async () => {
    const files = {
      'src/pkg/__init__.py': 'from .types import make as make\n',
      'src/pkg/types.py': 'LIMIT = 1\ndef make(): pass\n',
      'src/pkg/near.py':
        'from .types import (  # all (of) them\n    LIMIT,\n    make,\n)\nmake()\n',
      'src/pkg/sub/__init__.py': '',
      'src/pkg/sub/up.py': 'from ..types import make as m\nm()\nprint(f"{m()} m")\n',
      'tests/test_pkg.py':
        'import pkg\nimport pkg.types as t\ndef test(make):\n    make()\n    pkg.make()\n    t.make()\n    pkg.types.make(make=1)\n',
      'other.py': 'from types import make\nmake()\n',
    }
    expect((await usesOf(files, 'make')).toSorted()).toEqual([
      'src/pkg/near.py - call 5',
      'src/pkg/sub/up.py - call 2,3',
      'tests/test_pkg.py test call 5,6,7',
    ])
    expect(await usesOf(files, 'LIMIT')).toEqual([])
  })

  test('a variable, parameter, key or property with the name is no use of it', async () => {
    const text = [
      'import { size } from "./size"',
      'function f(size: number) { return size }',
      'const g = ({ size }) => { size() }',
      'const h = size => size + 1',
      'function i() { const { size } = x; return size }',
      'for (const [key] of Object.entries(size)) {}',
      'interface P {\n  size: number\n}',
      'if (size) { size() }',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is of the language.
      'const url = `http://x/${size}`',
    ].join('\n')
    const files = { 'size.ts': 'export const size = 1\n', 'a.ts': `${text}\n` }
    const uses = await usesOf(files, 'size')
    expect(uses.flatMap((use) => use.split(' ').at(-1)?.split(','))).toEqual(['6', '10', '11'])
  })

  test('two definitions with one name are told apart by their files', async () => {
    const files = {
      'a.ts': 'export function get() {}\n',
      'b.ts': 'export function get() {}\n',
      'use-a.ts': 'import { get } from "./a"\nget()\n',
      'use-b.ts': 'import { get } from "./b"\nget()\n',
    }
    expect(await usesOf(files, 'a.ts#get')).toEqual(['use-a.ts - call 2'])
    expect(await usesOf(files, 'b.ts#get')).toEqual(['use-b.ts - call 2'])
  })

  test('members are matched by name, in the folder of Go if it is in lower case', async () => {
    const ts = { 'a.ts': 'class A {\n  go() {}\n}\n', 'b.ts': 'x.go()\n' }
    const { code } = await folderOf(ts)
    expect(await code.references('A/go')).toMatchObject({ matching: 'name', total: 2 })
    const go = (text: string) => `package p\n\n${text}\n`
    const files = {
      'p/a.go': go('func run() {}\nfunc Run() {}'),
      'p/b.go': go('func b() { run(); Run() }'),
      'q/c.go': go('func c() { run(); Run() }'),
    }
    expect(await usesOf(files, 'run')).toEqual(['p/b.go b call 3'])
    expect(await usesOf(files, 'Run')).toEqual(['p/b.go b call 3', 'q/c.go c call 3'])
  })

  test('all pages together are the whole, and a changed file is read again', async () => {
    const files: Record<string, string> = { 'one.ts': 'export const one = 1\n' }
    for (let at = 0; at < 250; at++)
      files[`f${at}.ts`] = `import { one } from "./one"\nexport const x = () => one\n`
    const { code, write } = await folderOf(files)
    const seen: string[] = []
    for (let from: number | undefined = 0; from !== undefined; ) {
      const page = await code.references('one', { from })
      seen.push(...page.files.map(({ file }) => file))
      from = page.next
    }
    expect(seen.toSorted()).toEqual(
      Object.keys(files)
        .filter((file) => file !== 'one.ts')
        .toSorted(),
    )
    await write('f0.ts', 'export const x = 1\n')
    expect((await code.references('one')).total).toBe(250)
    expect(await code.references('nobody')).toMatchObject({ definitions: [], files: [], total: 0 })
  })

  test('a name is found however long it is', async () => {
    const name = 'a'.repeat(70)
    const { code } = await folderOf({ 'a.ts': `export function ${name}() {}\n${name}()\n` })
    expect(await code.references(name)).toMatchObject({ total: 1, files: [{ file: 'a.ts' }] })
  })

  test('of a name with very many definitions, those that are read are bounded and the rest counted', async () => {
    const files = Array.from({ length: 300 }, (_, at) => [
      `f${at}.ts`,
      'export function many() {}\n',
    ])
    const { code } = await folderOf(Object.fromEntries(files))
    const { definitions, definersLeft } = await code.references('many')
    expect(definitions).toHaveLength(200)
    expect(definersLeft).toBe(100)
  })

  test('a file that cannot be read is counted', async () => {
    const { code, folder } = await folderOf({ 'a.ts': 'export function f() {}\n', 'b.ts': 'f()\n' })
    expect((await code.references('f')).account.unreadable).toBe(0)
    await rm(join(folder, 'b.ts'))
    await mkdir(join(folder, 'b.ts'))
    const { account, total } = await code.references('f')
    expect(total - account.unreadable).toBe(1)
  })

  test('names may be hostile', async () => {
    const { code } = await folderOf({ 'a.ts': 'const $a = 1\n$a()\n(((((\n' })
    await expect(code.references('x'.repeat(100_000))).rejects.toThrow('name')
    for (const name of ['(', '[a', '\\', '.*', 'a{9}', '$a', '', '#', '/'])
      await code.references(name).catch((error) => expect(error.code).toBe('bad_argument'))
  })
})

test
  .runIf(process.env['LONG'] === '1')
  .each([
    'import {',
    'import { a //',
    'export * //',
    '(((((',
    '{x,',
    '/*',
    '\\"',
    '"',
    "'",
    'const {',
    'from a import (#',
    'x => ',
    'x: ',
    '(x, ',
    ' \n',
    '; ',
  ])(
  'a large file of %j takes time by its length',
  async (part) => {
    const cpuOf = async (size: number): Promise<number> => {
      const filler = `${part}`.repeat(size / part.length)
      const head = 'import { x } from "./x"\n'
      const files = {
        'x.ts': 'export const x = 1\n',
        'a.ts': `${head}${filler}`,
        'a.py': `from x import x\n${filler.replaceAll(' ', '\n')}`,
      }
      // Parsing, which may take longer, is over and kept.
      const it = await codeFolder(files, { parseTimeoutMs: 600_000 })
      await it.code.references('x')
      const before = process.cpuUsage()
      await it.code.references('x')
      const { user, system } = process.cpuUsage(before)
      await it.remove()
      return (user + system) / 1000
    }
    expect(await cpuOf(100_000)).toBeLessThan(50 + 12 * (await cpuOf(25_000)))
  },
  120_000,
)
