import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aws, awsOptions } from '../../packages/docs/test/sites/aws.ts'
import { chinaOptions, startAwsChina } from '../../packages/docs/test/sites/aws-china.ts'
import type { Service } from '../../packages/docs/test/sites/loopback-service.ts'
import { main } from './manual-page.ts'

let global: Service
let china: Service
const cache = mkdtempSync(join(tmpdir(), 'sites-test-'))

beforeAll(async () => {
  global = await aws.start()
  china = await startAwsChina()
})

afterAll(async () => {
  await global.close()
  await china.close()
  rmSync(cache, { recursive: true })
})

/** The sites answer from this process, so the command may not hold it up. */
function run(args: string[], environment: Record<string, string> = {}) {
  const sites = { aws: awsOptions(global.url), 'aws-cn': chinaOptions(china.url) }
  const env = { ...process.env, DOCS_MCP_CACHE: cache, DOCS_MCP_SITES: JSON.stringify(sites) }
  const child = spawn(process.execPath, [main, ...args], { env: { ...env, ...environment } })
  let output = ''
  child.stdout.on('data', (part) => {
    output += part
  })
  child.stderr.on('data', (part) => {
    output += part
  })
  return new Promise<{ status: number | null; output: string }>((resolve) => {
    child.on('close', (status) => resolve({ status, output }))
    child.stdin.end()
  })
}

test.for([
  [['search', 'aws', 'install'], /guide\/install\.html#linux[\s\S]*; AWS documentation search\]/],
  [
    ['search', '--site', 'aws', 'install', '--filter', 'product=Amazon S3'],
    /No section matches/,
    1,
  ],
  [['doctor', '--site', 'aws'], /✓ aws: AWS documentation search answers/],
  [
    ['sites', 'aws', 'aws-cn'],
    /AWS documentation search \(aws\)\n.*found by contents of the guide/,
  ],
  [['index', '--site', 'aws-cn'], /5 pages, \d+ sections \(contents of the guide\)/],
] as const)('docs-mcp %j', async ([args, expected, code = 0]) => {
  const { status, output } = await run([...args])
  expect(output).toMatch(expected)
  expect(status).toBe(code)
})

test('the partition of the environment is written into the entry of a client', async () => {
  const { output } = await run(['add', 'cursor', '--compat', 'aws', '--print'], {
    AWS_DOCUMENTATION_PARTITION: 'aws-cn',
  })
  expect(output).toMatch(/"--compat",\s*"aws",\s*"--site",\s*"aws-cn"/)
})

test.for([
  [{ DOCS_MCP_SITES: '{"nope":{}}' }, /sites: There is no site or service named "nope"/],
  [
    { DOCS_MCP_SITES: 'not JSON' },
    /DOCS_MCP_SITES must be an object of objects, written as JSON in the environment\./,
  ],
  [
    { DOCS_MCP_SITES: '{"aws":{"home":"nope"}}' },
    /The option home of aws must be a URL, got "nope"/,
  ],
] as const)('%j ends a server before it serves', async ([environment, message]) => {
  const { status, output } = await run([], environment)
  expect(output).toMatch(message)
  expect(status).toBe(2)
})
