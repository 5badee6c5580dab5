import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'pith-results-'))
const client = new Client({ name: 'test', version: '0' })

/** A server whose tool returns a JSON document of several MB. */
const server = `
import { createInterface } from 'node:readline'
const rows = Array.from({ length: 60_000 }, (_, id) => ({ id, name: 'row ' + id, a: [{ b: [id] }] }))
const results = {
  initialize: {
    protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'rows', version: '1' },
  },
  'tools/list': { tools: [{ name: 'get_rows', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: JSON.stringify(rows) }] },
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const result = results[method] ?? {}
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})
`

beforeAll(async () => {
  writeFileSync(join(folder, 'rows.mjs'), server)
  const rows = { command: process.execPath, args: [join(folder, 'rows.mjs')] }
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { rows } }))
  const main = resolve('apps/aggregator-mcp/dist/main.js')
  const args = [main, '--config', join(folder, 'mcp.json'), '--state', join(folder, 'state')]
  const env = { ...process.env, HOME: folder } as Record<string, string>
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...args, '--mode', 'meta'], env }),
  )
})
afterAll(async () => {
  await client.close()
  rmSync(folder, { recursive: true })
})

async function call(name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args }, { timeout: 60_000 })
  return content[0]?.type === 'text' ? content[0].text : ''
}

test('a long result is read while other requests are answered', async () => {
  const first = await call('call', { module: 'rows', tool_name: 'get_rows' })
  expect(first).toContain('$: 60000 items\n[].id: 0–999\n')
  const result = /"result":"(r[0-9a-f]{12})"/.exec(first)?.[1]

  let isRead = false
  const read = call('read_more', { result, path: '$..name' }).then((text) => {
    isRead = true
    return text
  })
  for (let ping = 0; ping < 5; ping++) await client.ping()
  expect(isRead).toBe(false)
  expect(await read).toContain('["row 0","row 1",')

  expect(await call('read_more', { result, query: 'row 59999' })).toContain('[1 match]')
  expect(await call('read_more', { result, path: '$.none' })).toMatch(
    /selects nothing[\s\S]*60000 items/,
  )
})
