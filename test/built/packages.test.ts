import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder: string

const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** What a stranger gets: the packed archives, installed by npm in an empty folder. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pith-packed-'))
  const paths = ['packages', 'apps'].flatMap((room) =>
    readdirSync(room).map((name) => `${room}/${name}`),
  )
  for (const path of paths) run('pnpm', ['pack', '--pack-destination', folder], path)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const archives = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  run(
    'npm',
    [
      'install',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      ...archives.map((name) => `./${name}`),
    ],
    folder,
  )
}, 180_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(['cleaner', 'scorer', 'paginator', 'docs', 'door', 'console', 'code'])(
  '@pith-mcp/%s can be imported',
  (name) => {
    const script = `console.log(Object.keys(await import('@pith-mcp/${name}')).length)`
    expect(
      Number(run(process.execPath, ['--input-type=module', '-e', script], folder)),
    ).toBeGreaterThan(0)
  },
)

test('docs-mcp runs', () => {
  writeFileSync(join(folder, 'p.html'), '<main><h1>Packed</h1><p>It works.</p></main>')
  const output = run('npx', ['--no-install', 'docs-mcp', 'content', 'p.html'], folder)
  expect(output).toContain('It works.')
})

test('code-mcp runs, with the grammars it needs', () => {
  writeFileSync(join(folder, 'f.py'), 'def works(a):\n    return a\n')
  const output = run('npx', ['--no-install', 'code-mcp', 'show', 'f.py', 'works'], folder)
  expect(output).toContain('[works page 1/1 lines 1-2/2 end]\nf.py:1-2 · function\n```python\n')
})
