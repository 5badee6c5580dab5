import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import { pagingTools } from '../src/compat/paging-tools.ts'
import { openCode } from '../src/open-code.ts'
import { createServer } from '../src/server.ts'
import { settings } from '../src/settings.ts'
import { type CallPaging, huge, hugeSource, pagingRows } from './compat/paging-rows.ts'

const folder = temporaryFolder()
writeFileSync(join(folder, 'huge.js'), hugeSource)
writeFileSync(join(folder, 'other.js'), hugeSource)
const opened = openCode(settings.schema.parse({ compat: 'paging', cache: false }), [folder])
const clients = new Map<string, Client>()

const createClient = {
  v1: () => new FirstClient({ name: 'test', version: '0' }) as unknown as Client,
  v2: () => new Client({ name: 'test', version: '0' }),
  2026: () =>
    new Client(
      { name: 'test', version: '0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    ),
}

async function connect(locale: 'en' | 'ja', client: Client): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const server = createServer({ openCode: () => opened, locale, compat: pagingTools })
  await Promise.all([server.connect(far), client.connect(near as never)])
  return client
}

beforeAll(async () => {
  for (const locale of ['en', 'ja'] as const)
    clients.set(locale, await connect(locale, createClient.v2()))
})

afterAll(async () => {
  for (const client of clients.values()) await client.close()
  await (await opened).close()
})

const call: CallPaging = async (tool, args, locale = 'en') => {
  const result = await (clients.get(locale) as Client).callTool({ name: tool, arguments: args })
  const [first] = result.content
  return {
    text: first?.type === 'text' ? first.text : '',
    isError: result.isError === true,
    fields: (result.structuredContent ?? {}) as Record<string, unknown>,
  }
}

describe('--compat paging', () => {
  test.for(pagingRows)('$tool: $parameter', ({ check }) => check(call))

  test.for(['v1', 'v2'] as const)('a client of %s gets fields that fit the schema', async (era) => {
    const client = await connect('en', createClient[era]())
    const { tools } = await client.listTools()
    const schemas = tools.filter(({ outputSchema }) => outputSchema !== undefined)
    expect(schemas.map(({ name }) => name)).toEqual(['get_function_chunk', 'get_chunk'])
    // The client compares the structured content with the schema.
    const { structuredContent } = await client.callTool({
      name: 'get_chunk',
      arguments: { chunk_id: 'huge.js' },
    })
    expect(structuredContent).toMatchObject({ isPartial: true, currentPage: 1 })
    await client.close()
  })

  test('pages lead from one to the next by the token alone, and are the function', async () => {
    let page = await call('get_function_chunk', { filePath: 'huge.js', functionSignature: 'huge' })
    let code = codeIn(page.text)
    while (page.fields['nextPageToken']) {
      const [, pageToken] = /`pageToken: "([^"]+)"`/.exec(page.text) ?? []
      page = await call('get_function_chunk', { pageToken })
      code += `\n${codeIn(page.text)}`
    }
    expect(`${code}\n`).toBe(hugeSource.slice(0, hugeSource.indexOf('\nfunction small')))
  })

  test('calls that replies name work as they are written', async () => {
    const { text } = await call('find_function', { query: 'small' })
    const [, id] = /get_chunk\(chunk_id="([^"]+)"\)/.exec(text) ?? []
    expect((await call('get_chunk', { chunk_id: id })).isError).toBe(false)
  })

  test('a token of another text leads to the place, in a call that works', async () => {
    const { text, isError } = await call('get_function_chunk', {
      pageToken: 'huge.js#huge@500-900:100l.aaaaaa',
    })
    expect(isError).toBe(true)
    expect(text).not.toMatch(/\d+\.\w{6}(?!")/)
    const [, id, line] = /get_chunk\(chunkId="([^"]+)", startLine=(\d+)\)/.exec(text) ?? []
    const page = await call('get_chunk', { chunkId: id, startLine: Number(line) })
    expect(page.fields).toMatchObject({ id: 'huge.js#huge', startLine: Number(line) })
  })

  test('what a call names next to a token must be what the token is of', async () => {
    const { fields } = await call('get_function_chunk', { ...huge, pageSize: 100 })
    const pageToken = fields['nextPageToken']
    const again = await call('get_function_chunk', { ...huge, pageToken, threshold: 5000 })
    expect(again.fields).toMatchObject({ currentPage: 2, startLine: 101 })
    expect(again.fields).not.toHaveProperty('isChanged')
    for (const other of [
      { ...huge, functionSignature: 'small', pageToken },
      { functionSignature: 'small', pageToken },
      { filePath: 'other.js', pageToken },
      { pageToken, startLine: 7 },
    ])
      expect(await call('get_function_chunk', other)).toMatchObject({ isError: true })
    const halves = await call('get_function_chunk', { ...huge, pageSize: 100.5 })
    expect(halves.fields['endLine']).toBe(100)
  })

  test('what cannot be found without a path says which parameter is missing', async () => {
    const short = await call('get_chunk', { pageToken: '0.abc123' })
    expect(short.text).toMatch(/"0\.abc123" does not say what it is of\. Pass chunkId with it/)
    expect((await call('get_chunk', {})).text).toMatch(/^chunkId is required\./)
  })
})

const codeIn = (reply: string): string => /^(`{3,})\w*\n([\s\S]*?)\n?^\1$/m.exec(reply)?.[2] ?? ''
