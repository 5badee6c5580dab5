import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CodeOptions } from '@pith-mcp/code'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CodeFolder, codeFolder } from './code-folder.ts'

/** As bytes, and by an index of what is older than two seconds. */
describe.each(['bytes', 'an index'])('by %s,', (source) => {
  const clock = Date.now
  const caches: string[] = []

  async function searched(
    files: Readonly<Record<string, string>>,
    options: Partial<CodeOptions> = {},
  ) {
    if (source === 'bytes') return codeFolder(files, options)
    Date.now = () => clock() + 60_000
    const cacheFolder = await mkdtemp(join(tmpdir(), 'code-cache-'))
    caches.push(cacheFolder)
    const opened = await codeFolder(files, { ...options, cacheFolder })
    await opened.code.index()
    return opened
  }

  let it: CodeFolder
  beforeAll(async () => {
    it = await searched({
      'src/token.ts':
        'export class TokenStore {\n  validateExpiry(token: string) {}\n  remove() {}\n}\n',
      'src/check.ts':
        'import { validateExpiry } from "./token"\nvalidateExpiry("x")\nexport const check = () => 1\n',
      'src/parse_args.py': 'def parse_known_args(args):\n    pass\n',
      'src/generated/out.js': 'function validateExpiry() {}\n',
      'lib/deep/tool.go': 'package deep\n\nfunc (t *Tool) ValidateExpiry() bool { return true }\n',
      'node_modules/x/index.js': 'function validateExpiry() {}\n',
      'scripts/build': '#!/usr/bin/env bash\nbuild_all() {\n  echo 1\n}\n',
      '.gitignore': 'generated/\n!keep/\n',
      'src/keep/x.js': 'function kept() {}\n',
      '.env': 'validateExpiry=1',
    })
  })
  afterAll(async () => {
    await it.remove()
    Date.now = clock
    for (const cache of caches) await rm(cache, { recursive: true })
  })

  const idsOf = async (query: string, options = {}) =>
    (await it.code.findFunctions(query, options)).hits.map(({ id }) => id)

  describe('a search over all files', () => {
    test('finds a name, whatever its case, and not where it is only called or ignored', async () => {
      expect(await idsOf('validateExpiry')).toEqual(['src/token.ts#TokenStore/validateExpiry'])
      expect((await idsOf('validateexpiry')).toSorted()).toEqual([
        'lib/deep/tool.go#Tool/ValidateExpiry',
        'src/token.ts#TokenStore/validateExpiry',
      ])
    })

    test.each<[string, string[]]>([
      ['KITCHEN_PORT', ['env.ts#start 2', 'env.ts 4']],
      ['/pots/:id', ['routes.py#routes 3']],
      ['cannot boil: no water', ['env.ts 5']],
    ])('shows the lines of a text that nothing is named: %s', async (query, expected) => {
      const texts = await searched({
        'env.ts':
          'export function start() {\n  return process.env.KITCHEN_PORT\n}\nconst k = "KITCHEN_PORT"\nthrow new Error("cannot boil: no water")\n',
        'routes.py': 'def routes():\n    # first\n    add("/pots/:id")\n',
        'more.ts': 'export const KITCHEN_PORTS = 1\n',
      })
      const { match, hits } = await texts.code.findFunctions(query)
      expect(match).toBe('text')
      expect(hits.map(({ id, startLine }) => `${id} ${startLine}`)).toEqual(expected)
    })

    test('lists the names that contain a name when asked', async () => {
      const many = await searched({
        'pot.ts': 'export class Pot {}\nexport class PotTest {}\nexport class Teapot {}\n',
        'use.ts': 'export function cook(pot: Pot) {}\nexport function pot() {}\n',
      })
      expect((await many.code.findFunctions('Pot')).hits).toMatchObject([{ id: 'pot.ts#Pot' }])
      const listed = await many.code.findFunctions('*Pot*')
      expect(listed.hits.map(({ path }) => path).toSorted()).toEqual([
        'Pot',
        'PotTest',
        'Teapot',
        'pot',
      ])
      expect(listed.total).toBe(4)
      await many.remove()
    })

    test('finds a name whose stem is spelled otherwise, and one of a letter', async () => {
      const many = await searched({ 'a.ts': 'export function many() {}\nexport function f() {}\n' })
      const first = async (query: string) => (await many.code.findFunctions(query)).match
      expect(await first('many')).toBe('name')
      expect(await first('f')).toBe('name')
      await many.remove()
    })

    test('finds words of a name', async () => {
      expect((await idsOf('validating expiry'))[0]).toMatch(/[vV]alidateExpiry$/)
      expect(await idsOf('known args')).toEqual(['src/parse_args.py#parse_known_args'])
    })

    test('finds a whole name among many that only have it', async () => {
      const files = Array.from({ length: 25 }, (_, at) => [
        `a${at}.py`,
        `def test_getslice_${at}(self):\n    getslice(1)\n`,
      ])
      const many = await searched({
        ...Object.fromEntries(files),
        'z.c': 'static int\ngetslice(int a)\n{\n    return a;\n}\n',
      })
      const { hits } = await many.code.findFunctions('getslice', { maxResults: 5 })
      expect(hits[0]?.id).toBe('z.c#getslice')
      await many.remove()
    })

    test('finds what has a body, and what can be called, first', async () => {
      const many = await searched({
        'a.h': 'struct send_message { int a; };\nint receive_message(int a);\n',
        'b.c': 'int receive_message(int a) { return a; }\nint send_message(int a) { return a; }\n',
      })
      const first = async (query: string) => (await many.code.findFunctions(query)).hits[0]?.id
      expect(await first('receive_message')).toBe('b.c#receive_message')
      expect(await first('send_message')).toBe('b.c#send_message')
      await many.remove()
    })

    test('finds a name path', async () => {
      expect((await idsOf('TokenStore/remove'))[0]).toBe('src/token.ts#TokenStore/remove')
      expect((await idsOf('Tool.ValidateExpiry'))[0]).toBe('lib/deep/tool.go#Tool/ValidateExpiry')
    })

    test('finds a name with a letter mistaken', async () => {
      expect(await idsOf('parse_knwon_args')).toEqual(['src/parse_args.py#parse_known_args'])
    })

    test('keeps to a file, a folder or a glob', async () => {
      expect(await idsOf('validateExpiry', { path: 'lib' })).toEqual([
        'lib/deep/tool.go#Tool/ValidateExpiry',
      ])
      expect(await idsOf('validateExpiry', { path: 'src/**/*.ts' })).toEqual([
        'src/token.ts#TokenStore/validateExpiry',
      ])
      expect(await idsOf('build_all', { path: 'scripts/build' })).toEqual([
        'scripts/build#build_all',
      ])
      await expect(idsOf('x', { path: '../' })).rejects.toMatchObject({ code: 'not_allowed' })
    })

    test('knows at once what was written a moment ago', async () => {
      expect(await idsOf('brandNewName')).toEqual([])
      await it.write('src/new.ts', 'export function brandNewName() {}\n')
      expect(await idsOf('brandNewName')).toEqual(['src/new.ts#brandNewName'])
      await it.write('src/new.ts', 'export function otherName() {}\n')
      expect(await idsOf('brandNewName')).not.toContain('src/new.ts#brandNewName')
    })

    test.runIf(source === 'bytes')('says what it had no time for', async () => {
      const files = { 'a.js': 'function a1() {}', 'b.js': 'function b1() {}' }
      const hasty = await searched(files, { searchWaitMs: -1 })
      const first = await hasty.code.findFunctions('b1')
      expect(first).toMatchObject({ hits: [], unread: 1 })
      const { hits } = await hasty.code.findFunctions('b1', { path: 'b.js' })
      expect(hits.map(({ id }) => id)).toEqual(['b.js#b1'])
      await hasty.remove()
    })

    test('ends when it is given up', async () => {
      const signal = AbortSignal.abort(new Error('given up'))
      await expect(it.code.findFunctions('a', { signal })).rejects.toThrow('given up')
    })

    test('says nothing of an empty query', async () => {
      await expect(async () => it.code.findFunctions(' ')).rejects.toMatchObject({
        code: 'bad_argument',
      })
    })
  })
  describe('files are found', () => {
    test.each([
      ['*.go', ['lib/deep/tool.go']],
      ['src/*.ts', ['src/check.ts', 'src/new.ts', 'src/token.ts']],
      ['**/keep/**', ['src/keep/x.js']],
      ['token', ['src/token.ts']],
      ['deep/tool', ['lib/deep/tool.go']],
      ['tkn', ['src/token.ts']],
      ['.env', []],
      ['out.js', []],
    ])('by %s', async (pattern, files) => {
      await it.write('src/new.ts', 'export const x = 1\n')
      expect((await it.code.findFiles(pattern)).files).toEqual(files)
    })

    test('no longer pattern than there is a reason for', async () => {
      await expect(it.code.findFiles('a'.repeat(600))).rejects.toMatchObject({
        code: 'bad_argument',
      })
    })
  })

  describe('signs in a name', () => {
    let cpp: CodeFolder
    beforeAll(async () => {
      cpp = await codeFolder({
        'db.cc':
          'Status DBImpl::Recover(VersionEdit* edit) {\n  return s;\n}\nSlice::~Slice() {\n  free(x);\n}\nbool Slice::operator==(const Slice& b) {\n  return true;\n}\n',
        'r.rb': 'class Box\n  def <=>(other)\n    1\n  end\nend\n',
        'nvm.sh': 'nvm-exec() {\n  echo 1\n}\nsave() {\n  echo 2\n}\n',
      })
    })
    afterAll(() => cpp.remove())

    test.each([
      ['DBImpl::Recover', 'DBImpl/Recover'],
      ['DBImpl.Recover', 'DBImpl/Recover'],
      ['operator==', 'operator=='],
      ['Slice::operator==', 'operator=='],
      ['~Slice', '~Slice'],
      ['nvm-exec', 'nvm-exec'],
      ['store.save', 'save'],
      ['<=>', '<=>'],
    ])('are no patterns: %s', async (query, path) => {
      const { hits } = await cpp.code.findFunctions(query)
      expect(hits[0]?.path).toContain(path)
    })

    test.each([...'!@%&\'<>=~-:;,#|/\\^$.*+?()[]{}"`'].map((sign) => [sign]))(
      'of any kind are searched: %s',
      async (sign) => {
        const { hits } = await cpp.code.findFunctions(`save${sign}`)
        expect(hits.map(({ path }) => path)).toContain('save')
        await expect(cpp.code.findFunctions(`${sign}${sign}x`)).resolves.toBeDefined()
      },
    )
  })

  describe('a tree of more files than are listed', () => {
    let large: CodeFolder
    beforeAll(async () => {
      const files = Array.from({ length: 40 }, (_, at) => [
        `a/f${String(at).padStart(2, '0')}.c`,
        `int early_${at}(void) { return ${at}; }\n`,
      ])
      large = await codeFolder(
        {
          ...Object.fromEntries(files),
          '.gitignore': 'z/made/\n',
          'z/kernel/timer.c': 'int schedule_timeout(int t) { return t; }\n',
          'z/made/timer.c': 'int schedule_timeout(int t) { return 0; }\n',
        },
        { maxFiles: 20 },
      )
    })
    afterAll(() => large.remove())

    test('says that it was not searched whole', async () => {
      const found = await large.code.findFunctions('schedule_timeout')
      expect(found).toMatchObject({ hits: [], isCut: true })
    })

    test.each(['z', 'z/kernel', 'z/kernel/timer.c', 'z/**/*.c', 'timer.c'])(
      'is seen where path leads: %s',
      async (path) => {
        const requested = path === 'timer.c' ? 'timer.*' : path
        const found = await large.code.findFunctions('schedule_timeout', { path: requested })
        expect(found.hits.map(({ id }) => id)).toEqual(['z/kernel/timer.c#schedule_timeout'])
        expect(found.isCut).toBe(false)
      },
    )

    test('has all its files for find_file', async () => {
      for (const pattern of ['timer', 'z/**', 'zktimer', 'timer.c'])
        expect((await large.code.findFiles(pattern)).files).toEqual(['z/kernel/timer.c'])
    })
  })

  test('folders are searched whatever they are called, but for those that hold keys', async () => {
    const names = [
      'passwords',
      'Passwords',
      'credential',
      'credentials',
      'secrets',
      'env',
      'vault.env',
    ]
    const files = names.map((name) => [`${name}/x.php`, '<?php\nfunction sendResetLink() {\n}\n'])
    const one = await codeFolder({
      ...Object.fromEntries(files),
      '.ssh/x.php': '<?php\nfunction sendResetLink() {\n}\n',
      'passwords/passwords.txt': 'sendResetLink',
    })
    const { hits } = await one.code.findFunctions('sendResetLink')
    expect(hits.map(({ file }) => file).toSorted()).toEqual(
      names.map((name) => `${name}/x.php`).toSorted(),
    )
    expect((await one.code.findFiles('passwords')).files).not.toContain('passwords/passwords.txt')
    await one.remove()
  })
})
