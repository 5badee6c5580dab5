import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, describe, expect, test } from 'vitest'
import { main, manualFolder } from './manual-page.ts'

const { folder, remove } = manualFolder()
afterAll(remove)

const command = {
  command: process.execPath,
  args: [main, '--no-cache', folder],
  stderr: 'pipe' as const,
}
const info = { name: 'test', version: '0' }
const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const

describe('is served over stdio', () => {
  test.each([
    ['a client of the 2025 era', () => new Client(info), '2025-11-25'],
    ['a client of 2026-07-28', () => new Client(info, modern), '2026-07-28'],
    [
      'a client that finds out',
      () => new Client(info, { versionNegotiation: { mode: 'auto' } }),
      '2026-07-28',
    ],
  ])('to %s', async (_name, create, version) => {
    const client = create()
    await client.connect(new StdioClientTransport(command))
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    await answers(client)
  })

  test('to a client of SDK version 1', async () => {
    const client = new FirstClient(info)
    await client.connect(new FirstTransport(command))
    await answers(client as unknown as Client)
  })
})

describe('with the tools of another server', () => {
  const clients = [
    ['a client of 2026-07-28', () => new Client(info, modern), StdioClientTransport],
    ['a client of SDK version 1', () => new FirstClient(info), FirstTransport],
  ] as const
  const originals = [
    ['aws', 'read_sections', { url: 'https://example.com/a.html', section_titles: ['A'] }],
    ['snowflake', 'get_doc_toc', { url: 'https://example.com/' }],
  ] as const

  test.each(
    clients.flatMap((client) => originals.map((original) => [...client, ...original] as const)),
  )('%s', async (_name, create, Transport, compat, tool, args) => {
    const client = create() as Client
    const started = { ...command, args: [main, '--no-cache', '--compat', compat] }
    await client.connect(new Transport(started) as StdioClientTransport)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain(tool)
    const { content, isError } = await client.callTool({ name: tool, arguments: args })
    expect(isError).toBe(true)
    expect(content).toMatchObject([{ text: expect.stringMatching(/supported domains|not one of/) }])
    await client.close()
  })
})

async function answers(client: Client): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools).toHaveLength(7)
  const params = { name: 'get_doc_section', arguments: { url: 'guide.html', section: 'install' } }
  const { content } = await client.callTool(params)
  expect(content).toMatchObject([
    { type: 'text', text: expect.stringContaining('Run the installer.') },
  ])
  const wrong = await client.callTool({ name: 'get_doc_toc', arguments: { url: 'none.html' } })
  expect(wrong.isError).toBe(true)
  await client.close()
}

test('nothing but protocol goes to stdout, whatever comes in', async () => {
  const server = spawn(process.execPath, [main, '--no-cache', folder])
  let stdout = ''
  server.stdout.on('data', (data) => {
    stdout += data
  })
  const call = (id: number, name: string, args: object) =>
    send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })
  const send = (message: unknown) => server.stdin.write(`${JSON.stringify(message)}\n`)
  send({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: info },
  })
  send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  call(2, 'search_docs', { query: 'installer' })
  call(3, 'get_doc_content', { url: 'http://127.0.0.1:1/' })
  call(4, 'no_such_tool', {})
  server.stdin.write('this is no JSON\n')
  call(5, 'get_doc_toc', { url: 'guide.html' })
  await expect.poll(() => stdout.trim().split('\n').length).toBeGreaterThanOrEqual(5)
  server.stdin.end()
  const [code] = await once(server, 'close')
  expect(code).toBe(0)
  const messages = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  for (const message of messages) expect(message.jsonrpc).toBe('2.0')
  expect(messages.map(({ id }) => id)).toEqual(expect.arrayContaining([1, 2, 3, 4, 5]))
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it', async (signal) => {
  const server = spawn(process.execPath, [main, '--no-cache', folder])
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`)
  await once(server.stdout, 'data')
  server.kill(signal)
  const [code] = await once(server, 'close')
  expect(code).toBe(0)
})
