import { spawnSync } from 'node:child_process'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { configure, odd, startOverHttp, until } from './aggregator-process.ts'

/** The command line for a configuration. */
const runner =
  ([main = '', ...options]: readonly string[]) =>
  (...words: string[]): string =>
    spawnSync(process.execPath, [main, ...words, ...options], { encoding: 'utf8' }).stdout

test('over HTTP, new tools are held until they are approved; no command approves them by the way', async () => {
  const poison = { ...odd(), env: { ODD_DESCRIPTION: 'Says\u200Bit', ODD_READ_ONLY: 'echo' } }
  const { args, remove } = configure(
    { a: { ...odd(), env: { ODD_READ_ONLY: 'echo' } }, poison },
    { trust: {} },
  )
  const run = runner(args)
  expect(run('doctor', 'a')).toContain(
    'New tools are held over HTTP and pinned on stdio: aggregator.trust.new is not set.',
  )
  expect(run('call', 'a', 'echo', '{"text":"x"}')).toBe('x\n')
  expect(run('pin')).toBe('0 tools pinned, 0 waiting for approval.\n')
  const { url, stderr, stop } = await startOverHttp(args)
  // Before any client connects.
  await expect.poll(() => run('pin')).toContain('a "echo"@')
  const client = new Client({ name: 'test', version: '0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const call = async (module: string, tool_name: string): Promise<string> => {
    const params = { module, tool_name, params: { text: 'x' } }
    const { content } = await client.callTool({ name: 'call', arguments: params })
    return (content as { text: string }[])[0]?.text ?? ''
  }
  await until(() => stderr().includes('New tools are held until they are approved'))
  expect(await call('a', 'echo')).toContain(
    'held: new server, not reviewed yet. Nothing was called. A person must review',
  )
  expect(await call('poison', 'echo')).toContain('invisible characters inside words; new server')
  // What a tool declares of itself does not excuse what was found in it.
  expect(run('pin', 'approve', '--read-only')).toBe('approved: a "echo"\n')
  expect(run('pin', 'approve', 'poison', '--read-only')).toBe(
    'No matching tool waits for approval.\n',
  )
  await expect.poll(() => call('a', 'echo')).toBe('x')
  expect(await call('a', 'pid')).toContain('held: new since ')
  expect(run('doctor', 'a')).toContain('a.pid: held: new since ')
  expect(run('pin', 'approve', 'a', '--all').trim().split('\n')).toHaveLength(5)
  await expect.poll(() => call('a', 'pid')).toMatch(/^\d+$/)
  await client.close()
  await stop()
  remove()
})
