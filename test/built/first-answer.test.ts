import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { main } from './manual-page.ts'

const page = readFileSync('docs/start/agent.md', 'utf8')
const blockOf = (language: string) =>
  page.split(`\n\`\`\`\`${language}\n`)[1]?.split('````\n')[0] ?? ''
const [command = '', ...printed] = blockOf('console').split('\n')
const folder = mkdtempSync(join(tmpdir(), 'first-answer-'))
const manual = join(folder, 'manual')

beforeAll(() => {
  mkdirSync(manual)
  writeFileSync(join(manual, 'ferry.md'), blockOf('markdown'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('the command of the first page prints what the page shows', () => {
  const [, words = ''] = /^\$ npx -y @pith-mcp\/docs-mcp (.+)$/.exec(command) ?? []
  const args = [main, ...words.split(' '), '--no-cache']
  expect(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })).toBe(
    printed.join('\n'),
  )
})

test('an agent gets the reply of the first page', async () => {
  const client = new Client({ name: 'test', version: '0' })
  const args = [main, '--no-cache', 'manual']
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, cwd: folder, stderr: 'ignore' }),
  )
  const [, query] = / search manual (.+)$/.exec(command) ?? []
  const { content } = await client.callTool({ name: 'search_docs', arguments: { query } })
  await client.close()
  expect(content).toEqual([{ type: 'text', text: blockOf('text').trimEnd() }])
})
