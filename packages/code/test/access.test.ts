import { execFileSync } from 'node:child_process'
import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCode } from '@pith-mcp/code'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { type CodeFolder, codeFolder } from './code-folder.ts'

let it: CodeFolder
const outside = temporaryFolder()
beforeAll(async () => {
  await writeFile(join(outside, 'secret.js'), 'function secret() {}')
  it = await codeFolder(
    {
      'a.js': 'function a() { return 1 }\n',
      '.env': 'KEY=1',
      '.env.example': 'KEY=',
      'keys/id_rsa': 'x',
      'server.pem': 'x',
      '.git/config': 'x',
      'binary.js': new Uint8Array([102, 0, 1, 2]),
      'latin.js': Buffer.from('function caf\xe9() { return "\xfc" }', 'latin1'),
      'wide.js': Buffer.from('\ufefffunction wide() {}', 'utf16le'),
      'marked.js': '\ufefffunction marked() {}',
      'large.js': `function large() {}\n${'// long\n'.repeat(200_000)}`,
      'huge.js': `// huge\n${'x'.repeat(3_000_000)}`,
    },
    { maxParseBytes: 1_000_000, maxFileBytes: 2_500_000 },
  )
  await symlink(join(outside, 'secret.js'), join(it.folder, 'link.js'))
  await symlink(outside, join(it.folder, 'linked'))
  await symlink(join(it.folder, 'a.js'), join(it.folder, 'inner.js'))
  await symlink(join(it.folder, '.env'), join(it.folder, 'settings.js'))
})
afterAll(() => it.remove())

const codeOf = async (path: string): Promise<string> =>
  it.code.chunk(path).then(
    () => 'read',
    (error: { code?: string }) => error.code ?? String(error),
  )

describe('a path', () => {
  test.each([
    ['a.js', 'read'],
    ['./a.js', 'read'],
    ['inner.js', 'read'],
    ['sub/../a.js', 'read'],
    ['.env.example', 'read'],
    ['../a.js', 'not_allowed'],
    ['/etc/passwd', 'not_allowed'],
    ['link.js', 'not_allowed'],
    ['linked/secret.js', 'not_allowed'],
    ['linked/missing.js', 'not_allowed'],
    ['missing.js', 'not_found'],
    ['.env', 'not_allowed'],
    ['.ENV', process.platform === 'linux' ? 'not_found' : 'not_allowed'],
    ['settings.js', 'not_allowed'],
    ['keys/id_rsa', 'not_allowed'],
    ['server.pem', 'not_allowed'],
    ['.git/config', 'not_allowed'],
    ['binary.js', 'not_text'],
    ['huge.js', 'too_large'],
    ['a.js\0.txt', 'not_found'],
  ])('%j: %s', async (path, expected) => {
    expect(await codeOf(path)).toBe(expected)
  })

  test('may be absolute, or a file URL, below a root', async () => {
    expect(await codeOf(join(it.folder, 'a.js'))).toBe('read')
    expect(await codeOf(`file://${it.folder}/a.js`)).toBe('read')
    expect(await codeOf(`${it.folder}-evil/a.js`)).toBe('not_allowed')
  })

  test('of a pipe is refused, not waited for', async () => {
    execFileSync('mkfifo', [join(it.folder, 'pipe.js')])
    expect(await codeOf('pipe.js')).toBe('not_text')
  })

  test('of several roots is looked up in each, and shown so that it is found again', async () => {
    const other = temporaryFolder(onTestFinished)
    await mkdir(join(other, 'lib'))
    await writeFile(join(other, 'lib/b.js'), 'function b() {}')
    const code = await createCode({ roots: [it.folder, other] })
    const { file } = await code.chunk('lib/b.js')
    expect((await code.functionChunk(file, 'b')).text).toBe('function b() {}')
    await code.close()
  })
})

test('a root that is no folder is named', async () => {
  await expect(createCode({ roots: [join(outside, 'none')] })).rejects.toMatchObject({
    code: 'not_found',
  })
})

describe('a file', () => {
  test('in another encoding is read', async () => {
    expect((await it.code.functionChunk('latin.js', 'café')).text).toContain('"ü"')
    expect((await it.code.functionChunk('wide.js', 'wide')).symbol?.path).toBe('wide')
    expect((await it.code.functionChunk('marked.js', 'marked')).text).toContain('function marked')
  })

  test('that is too large to be parsed is read by lines, and says so', async () => {
    const page = await it.code.chunk('large.js', { startLine: 1000 })
    expect(page).toMatchObject({
      startLine: 1000,
      unparsed: 'it is larger than 1 MB, the limit for parsing',
    })
    await expect(it.code.functionChunk('large.js', 'large')).rejects.toMatchObject({
      code: 'no_symbols',
      remedy: expect.stringContaining('by lines'),
    })
  })

  test('that changes is read again, though its size and time are as before', async () => {
    const at = new Date('2020-01-01')
    await it.write('changing.js', 'function one() {}')
    await utimes(join(it.folder, 'changing.js'), at, at)
    expect((await it.code.outline('changing.js')).entries[0]?.path).toBe('one')
    await it.write('changing.js', 'function two() {}')
    await utimes(join(it.folder, 'changing.js'), at, at)
    expect((await it.code.outline('changing.js')).entries[0]?.path).toBe('two')
  })
})
