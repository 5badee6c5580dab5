import { execFileSync } from 'node:child_process'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSecret } from '../src/access/secret-files.ts'
import { languageOf } from '../src/languages/all-languages.ts'
import { globMatcher } from '../src/search/glob.ts'
import { type CodeFolder, codeFolder } from './code-folder.ts'

/** Each of these takes seconds. */
const isLong = process.env['LONG'] === '1'

let it: CodeFolder
beforeAll(async () => {
  it = await codeFolder({
    'min.js': `${'var get=1;'.repeat(60_000)}`,
    'blank.txt': '\n'.repeat(2_000_000),
    'spaces.txt': ' '.repeat(1_000_000),
    'above.js': `/*${' '.repeat(1_000_000)}x*/\nfunction f() { return 1 }\n`,
    'lines.txt': 'a\n'.repeat(500_000),
    [`${'a'.repeat(250)}.ts`]: 'function a() {}',
    'names.js': `${Array.from({ length: 60 }, (_, at) => `function ${'n'.repeat(110)}${at}() {`).join('')}${'function g() {}'.repeat(2_000)}${'}'.repeat(60)}`,
    'C#/a#b.js': 'function inC() {}\n',
    'foo@2.js': 'function foo() {}\n',
    'app/[slug]/page.ts': 'export function page() {}\n',
  })
})
afterAll(() => it.remove())

describe('what is made to keep it busy is answered', () => {
  test.runIf(isLong)('a search in a file of one long line', async () => {
    expect((await it.code.findFunctions('get')).unread).toBe(0)
  })

  test.each(['blank.txt', 'spaces.txt'])('%s: pages of blanks, in bounds', async (path) => {
    const page = await it.code.chunk(path, { pageSize: 0 })
    expect(page.text.length).toBeLessThanOrEqual(64_000)
    const next = await it.code.chunk(path, { pageSize: 0, pageToken: page.nextPageToken as string })
    expect(next.fileStartLine).toBe(path === 'blank.txt' ? page.fileEndLine + 1 : 1)
  })

  test('a comment of many blanks above a function', async () => {
    expect((await it.code.functionChunk('above.js', 'f')).leading?.text.length).toBeLessThan(2_000)
  })

  test('pages that would be too many are larger', async () => {
    const page = await it.code.chunk('lines.txt', { pageSize: '1 lines' })
    expect(page.totalPages).toBeLessThanOrEqual(4_001)
  })

  test('names that would be too long are not made', async () => {
    const { entries } = await it.code.outline('names.js')
    for (const { path } of entries) expect(path.length).toBeLessThanOrEqual(400)
    await expect(it.code.functionChunk('names.js', 'nosuch')).rejects.toMatchObject({
      code: 'symbol_not_found',
    })
  })

  test('arguments that are too long are refused', async () => {
    for (const call of [
      () => it.code.functionChunk('min.js', 'a'.repeat(200_000)),
      () => it.code.functionChunk('a/'.repeat(500_000), 'a'),
      () => it.code.chunk(`min.js#${'é'.repeat(100_000)}`),
      () => it.code.findFunctions('ab '.repeat(100_000)),
      () => it.code.chunk('min.js', { pageSize: `1${'1'.repeat(200_000)}!` }),
    ])
      await expect(call()).rejects.toMatchObject({
        code: 'bad_argument',
        message: expect.stringMatching(/^.{1,200}$/),
      })
  })

  test('what is no page token is shown in part', async () => {
    const wrong = it.code.chunk('lines.txt', { pageToken: '漢'.repeat(100_000) })
    await expect(wrong).rejects.toMatchObject({ message: expect.stringMatching(/^.{1,200}$/) })
  })

  test('a glob takes no longer than it is long', () => {
    const matches = globMatcher('*a*a*a*a*a*a*a*a*b')
    expect(matches('a'.repeat(250))).toBe(false)
    expect(globMatcher(`${'**/a/'.repeat(60)}b`)('a/'.repeat(2_000))).toBe(false)
  })

  test('rules that are a pipe, or lead to something endless, are none', async () => {
    await mkdir(join(it.folder, 'pipe'))
    execFileSync('mkfifo', [join(it.folder, 'pipe/.gitignore')])
    await mkdir(join(it.folder, 'zero'))
    await symlink('/dev/zero', join(it.folder, 'zero/.gitignore'))
    await writeFile(join(it.folder, 'zero/here.js'), '')
    expect((await it.code.findFiles('here.js')).files).toEqual(['zero/here.js'])
  })

  test('a folder that becomes a link while it is read leads nowhere', async () => {
    const outside = await codeFolder({ 'f.js': 'function outside() {}' })
    await mkdir(join(it.folder, 'race'))
    await writeFile(join(it.folder, 'race/f.js'), 'function inside() {}')
    await symlink(outside.folder, join(it.folder, 'link'))
    let isOver = false
    const swapping = (async () => {
      while (!isOver) {
        await rename(join(it.folder, 'race'), join(it.folder, 'kept'))
        await rename(join(it.folder, 'link'), join(it.folder, 'race'))
        await rename(join(it.folder, 'race'), join(it.folder, 'link'))
        await rename(join(it.folder, 'kept'), join(it.folder, 'race'))
      }
    })()
    const texts = new Set<string>()
    for (let at = 0; at < 400; at++)
      texts.add(
        await it.code.chunk('race/f.js').then(
          ({ text }) => text,
          () => '',
        ),
      )
    isOver = true
    await swapping
    expect(texts).not.toContain('function outside() {}')
    await rm(join(it.folder, 'link'))
    await outside.remove()
  })
})

describe('names that are hard to read are read', () => {
  test.each([
    ['C#/a#b.js#inC', 'inC'],
    ['C#/a#b.js', undefined],
    ['foo@2.js#foo', 'foo'],
    ['foo@2.js', undefined],
  ])('%s', async (id, name) => {
    expect((await it.code.chunk(id)).symbol?.path).toBe(name)
  })

  test('brackets in a path are no glob where there is such a path', async () => {
    const { hits } = await it.code.findFunctions('page', { path: 'app/[slug]' })
    expect(hits[0]?.id).toBe('app/[slug]/page.ts#page')
    expect((await it.code.findFiles('[slug]')).files).toEqual(['app/[slug]/page.ts'])
  })
})

test.each([
  ['*.ts', 'src/a.ts', true],
  ['*.ts', 'src/a.tsx', false],
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/b/a.ts', false],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/b/c/a.ts', true],
  ['**/b/**', 'src/b/c/a.ts', true],
  ['*.{ts,js}', 'a.js', true],
  ['?.js', 'ab.js', false],
  ['[a-c]?.js', 'bx.js', true],
  ['[!a].js', 'a.js', false],
  ['SRC/A.*', 'src/a.ts', true],
])('the glob %s and %s: %s', (pattern, path, expected) => {
  expect(globMatcher(pattern)(path)).toBe(expected)
})

test.each(
  `.env .env.local .env~ .env_prod prod.env env.production .npmrc.bak id_rsa id_rsa_github deploy_rsa server.pem
  AuthKey.p8 server.key.bak credentials.json credentials.csv aws-credentials.json serviceAccountKey.json
  client_secret_1.json firebase-adminsdk.json terraform.tfvars .config/gcloud/x.json .config/gh/hosts.yml
  secrets.prod.yaml .secret .git/config repo.git/config kubeconfig .bash_history passwords.txt`.split(
    /\s+/,
  ),
)('%s is a secret', (path) => {
  expect(isSecret(path)).toBe(true)
})

test.each(
  `.env.example id_rsa.pub credentials.py src/secrets.ts environment.ts env.d.ts keys.go password.rb token.json
  package.json .github/workflows/ci.yml docs/secrets.md`.split(/\s+/),
)('%s is no secret', (path) => {
  expect(isSecret(path)).toBe(false)
})

test('whether a header is of C++ is told in time linear in its length', () => {
  const line = `class ${'A'.repeat(600_000)}${' x'.repeat(300_000)}`
  const spaces = `${' '.repeat(200_000)}class A`.repeat(5)
  const begun = process.cpuUsage()
  for (const text of [line, spaces]) languageOf('evil.h', `int only_here(void);\n${text}\n`)
  // It took more than 20 s, and takes some milliseconds.
  expect(process.cpuUsage(begun).user).toBeLessThan(2_000_000)
})

test.runIf(isLong)('a header of one long line holds up nothing', async () => {
  const line = `class ${'A'.repeat(600_000)}${' x'.repeat(300_000)}`
  const spaces = `${' '.repeat(200_000)}class A`
  const calls = `${'only_here('.repeat(30_000)}\n`.repeat(3)
  const evil = await codeFolder({
    'evil.h': `int only_here(void);\n${line}\n`,
    'blank.h': `int only_here(void);\n${spaces.repeat(5)}\n`,
    'calls.h': `int only_here(void);\n${calls}`,
  })
  let ticks = 0
  const timer = setInterval(() => ticks++, 10)
  const { hits } = await evil.code.findFunctions('only_here')
  clearInterval(timer)
  expect(ticks).toBeGreaterThan(0)
  expect(hits.map(({ file }) => file)).toContain('evil.h')
  await evil.remove()
})
