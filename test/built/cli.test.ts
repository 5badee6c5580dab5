import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { main, manualFolder } from './manual-page.ts'

const { folder, remove } = manualFolder()
afterAll(remove)

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, DOCS_MCP_CACHE: 'off' },
  })
  return { status, stdout, stderr }
}

test('search answers with an address that section takes', () => {
  const [, url = ''] = run('search', '.', 'installer').stdout.split('\n')
  expect(url).toBe('guide.html#install')
  expect(run('section', url).stdout).toContain('Run the installer.')
})

test.each([
  [['content', 'guide.html', '--max-length', '20'], /\[next: --page \d+\.\w{6}\]/],
  [['find', 'guide.html', 'installer'], /Run the installer\./],
  [['toc', 'guide.html'], /- Guide ~\d+\/\d+ c1\n {2}- Install ~\d+/],
  [['section', 'guide.html#install', '--code'], /```\nnpm i\n```/],
  [['content', 'guide.html'], /Intro\./],
])('answers %j', (args, expected) => {
  expect(run(...args).stdout).toMatch(expected)
})

test('gives the same as JSON', () => {
  const { status, stdout } = run('section', 'guide.html', 'install', '--json')
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    title: 'Guide',
    section: { id: 'install', title: 'Install' },
    markdown: '## Install\n\nRun the installer.\n\n```\nnpm i\n```',
    codeBlocksOmitted: 0,
  })
})

test('a failure says so on stderr and ends with 1', () => {
  const { status, stdout, stderr } = run('section', 'guide.html', 'instal')
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain('Nearest: "Install" (install)')
})

test('a query without a match is answered and ends with 1', () => {
  for (const verb of ['search', 'find', 'table']) {
    const { status, stdout } = run(verb, verb === 'search' ? '.' : 'guide.html', 'zebra')
    expect({ status, isAnswered: stdout !== '' }).toEqual({ status: 1, isAnswered: true })
  }
  expect(run('search', '.', 'zebra', '--json')).toMatchObject({ status: 1, stderr: '' })
  expect(run('find', 'guide.html', 'installer').status).toBe(0)
})

test('index and doctor name what they do not read', () => {
  mkdirSync(join(folder, 'mixed'))
  writeFileSync(join(folder, 'mixed/a.md'), '# A\n\nThe text.')
  writeFileSync(join(folder, 'mixed/b.pdf'), '')
  const cache = ['--cache', join(folder, 'cache')]
  expect(run('index', 'mixed', ...cache).stdout).toContain('; not read, other formats: 1 .pdf')
  expect(run('doctor', 'mixed', ...cache).stdout).toContain('; not read, other formats: 1 .pdf')
})

test('check ends with 1 where an agent loses text, and says the remedy', () => {
  mkdirSync(join(folder, 'long'))
  writeFileSync(join(folder, 'long/a.md'), `# A\n\n${'one two three '.repeat(3_000)}`)
  const { status, stdout } = run('check', 'long')
  expect(status).toBe(1)
  expect(stdout).toContain('✗ section over 5,000 tokens without headings in it')
  expect(stdout).toContain('Add headings')
  expect(run('check', 'guide.html')).toMatchObject({ status: 0, stderr: '' })
  expect(run('check')).toMatchObject({ status: 2 })
  expect(run('check', 'long', 'many')).toMatchObject({ status: 2 })
  expect(run('check', 'long', '3', 'more')).toMatchObject({ status: 2 })
  expect(run('check', 'nowhere')).toMatchObject({ status: 2, stdout: '' })
})

test('wrong usage ends with 2', () => {
  expect(run('toc')).toMatchObject({ status: 2, stdout: '' })
  expect(run('section', 'guide.html')).toMatchObject({ status: 2 })
  expect(run('content', 'guide.html', 'more')).toMatchObject({ status: 2 })
  expect(run('--nope')).toMatchObject({ status: 2, stderr: expect.stringContaining('--help') })
})

test('a source that does not exist is told before serving', () => {
  expect(run('./none')).toMatchObject({ status: 2, stderr: expect.stringContaining('none') })
  expect(run('serach', '.', 'x').stderr).toContain('Did you mean docs-mcp search?')
  expect(run('words', '.', 'x').stderr).toContain('The commands are search, ')
  expect(run('docs.example.org').stderr).toContain('For a site, pass https://docs.example.org')
})

test('settings are not taken from the folder it is started in', () => {
  const path = join(folder, 'docs-mcp.json')
  writeFileSync(path, JSON.stringify({ timeout: 'never' }))
  expect(run('content', 'guide.html').status).toBe(0)
  expect(run('content', 'guide.html', '--config', path)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('timeout'),
  })
})

test('help and version', () => {
  const { version } = JSON.parse(readFileSync('apps/docs-mcp/package.json', 'utf8'))
  expect(run('--help')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('docs-mcp section'),
  })
  expect(run('--version')).toMatchObject({ status: 0, stdout: `${version}\n` })
})

test('a database without the package pg ends the server with what to install', () => {
  const url = 'postgresql://reader:secret@127.0.0.1:1/docs'
  // Elsewhere, as the workspace has it.
  const app = join(dirname(main), '..')
  for (const name of ['dist', 'package.json'])
    cpSync(join(app, name), join(folder, 'alone', name), { recursive: true })
  const alone = join(folder, 'alone', 'dist', 'main.js')
  const { status, stderr } = spawnSync(process.execPath, [alone], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, PITH_DATABASE_URL: url },
  })
  expect(status).toBe(2)
  expect(stderr).toContain('The package pg is missing. Install it next to the server: npm i pg')
  expect(stderr).not.toContain('secret')
})
