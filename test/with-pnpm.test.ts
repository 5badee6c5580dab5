import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../packages/base/test/temporary-folder.ts'

const { packageManager } = JSON.parse(readFileSync('package.json', 'utf8'))
const [, pinned] = packageManager.split(/[@+]/)

/** A folder with an npm that gives `pnpm-of-npm` as the PATH. */
const folder = temporaryFolder()
writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho pnpm-of-npm\n')
chmodSync(join(folder, 'npm'), 0o755)

test.skipIf(process.platform === 'win32').each([
  ['the pinned pnpm runs', `pnpm/${pinned} npm/? node/v24.0.0 linux x64`, 'its own PATH'],
  ['another pnpm runs', 'pnpm/9.15.9 npm/? node/v24.0.0 linux x64', 'pnpm of npm'],
  ['yarn runs', 'yarn/1.22.22 npm/? node/v24.0.0 linux x64', 'pnpm of npm'],
  ['node runs', '', 'pnpm of npm'],
])('a script that %s finds the pinned pnpm', (_, agent, from) => {
  const PATH = `${folder}${delimiter}${process.env['PATH']}`
  const env = { HOME: folder, PATH, npm_config_user_agent: agent, npm_execpath: '/nowhere/cli.cjs' }
  const args = ['scripts/with-pnpm.mjs', '-p', 'process.env.PATH']
  const output = execFileSync(process.execPath, args, { encoding: 'utf8', env })
  expect(output.trim()).toBe(from === 'its own PATH' ? PATH : 'pnpm-of-npm')
})
