import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../packages/base/test/temporary-folder.ts'
import { configure } from '../running/aggregator-process.ts'
import { metaOverStdio } from './meta-servers.ts'

const app = fileURLToPath(new URL('../..', import.meta.url))
const folder = temporaryFolder()

/** The built app as it is installed without its optional package. */
beforeAll(() => {
  cpSync(join(app, 'dist'), join(folder, 'dist'), { recursive: true })
  cpSync(join(app, 'package.json'), join(folder, 'package.json'))
  const link = (path: string) => symlinkSync(join(app, path), join(folder, path))
  for (const room of ['', '@pith-mcp', '@modelcontextprotocol']) {
    mkdirSync(join(folder, 'node_modules', room), { recursive: true })
    for (const name of readdirSync(join(app, 'node_modules', room)))
      if (!name.startsWith('@') && !name.startsWith('.') && name !== 'telemetry')
        link(join('node_modules', room, name))
  }
})

function run(settings: object | undefined, more: NodeJS.ProcessEnv, ...words: string[]) {
  const { args, remove } = configure({ pipe: metaOverStdio() }, settings)
  const child = spawnSync(
    process.execPath,
    [join(folder, 'dist/main.js'), ...words, ...args.slice(1)],
    {
      env: { ...process.env, ...more },
      input: '',
      encoding: 'utf8',
      timeout: 20_000,
    },
  )
  remove()
  return child
}

const install = 'npm i @pith-mcp/telemetry'

test('an endpoint is not opened without the traces it was to have', () => {
  const { status, stderr } = run({ telemetry: { traces: true } }, {}, '--http', '0')
  expect(stderr).toContain(install)
  expect(status).toBe(1)
})

test('a client has its servers also where traces are configured, and is told what to install', () => {
  const { status, stderr } = run({ telemetry: { traces: true } }, {})
  expect(stderr).toContain(install)
  expect(status).toBe(0)
})

test('doctor says what to install', () => {
  const { status, stdout } = run({ telemetry: { traces: true } }, {}, 'doctor')
  expect(stdout).toContain(install)
  expect(status).toBe(1)
})

test('a variable that is meant for all programs keeps none from starting', () => {
  const { status, stderr } = run(undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  expect(stderr).toContain(install)
  expect(status).toBe(0)
})
