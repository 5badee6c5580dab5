import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { describeSandbox } from '../../../../sandbox/src/describe-sandbox.ts'
import { thisHost } from '../../../../sandbox/src/host/host.ts'
import { sandboxOf } from '../../../../sandbox/src/sandbox-of.ts'
import { startTrying, type Trying, tryingServer } from './try-in-sandbox.ts'

const hasBubblewrap = await thisHost.findBubblewrap().then(
  () => true,
  () => false,
)

// Not in /tmp, which is hidden in any case.
const folder =
  process.platform === 'linux' ? realpathSync(mkdtempSync('/var/tmp/pith-hidden-')) : ''
const at = (path: string): string => join(folder, path)
const put = (path: string, text: string): void => {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}
const secrets = ['conf/all.json', 'conf/all.json~', 'conf/.all.json.swp', 'state/tokens', 'key']
if (folder !== '') {
  for (const path of secrets) put(path, 'a secret')
  for (const path of ['conf/notes', 'conf/sub/deep', 'beside']) put(path, 'shown')
  put('conf/package.json', '{"type":"module"}')
  copyFileSync(tryingServer, at('conf/server.mjs'))
  symlinkSync('notes', at('conf/link'))
  symlinkSync('../state', at('conf/state'))
  symlinkSync('..', at('conf/up'))
}
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let trying: Trying | undefined
afterEach(() => trying?.stop())
const hidden = ['conf/all.json', 'state', 'key', 'later/state'].map(at)
const start = async (files: unknown, more: object = {}) => {
  const sandbox = { network: true, ...(files !== undefined && { files }) }
  trying = await startTrying({ sandbox, ...more }, process.env, hidden)
  return trying.tried
}
const shown = ['conf/notes', 'conf/sub/deep', 'conf/link']
const unseen = [...secrets, 'conf/state/tokens', 'conf/up/key', 'later/state/tokens']

describe.skipIf(!hasBubblewrap)('in bubblewrap', () => {
  test.each([
    ['all files are read', 'read', {}],
    ['the folder around them is', { read: [folder] }, {}],
    ['their folder and a link to it are', { read: [at('conf'), at('conf/up')] }, {}],
    ['the program is beside them', undefined, { args: [at('conf/server.mjs')] }],
    ['it runs beside them', undefined, { args: [at('conf/server.mjs')], cwd: at('conf') }],
    [
      'all are read and it runs beside them',
      'read',
      { args: [at('conf/server.mjs')], cwd: at('conf') },
    ],
  ])('what belongs to the aggregator is hidden if %s', async (_, files, more) => {
    const tried = await start(files, more)
    for (const path of shown)
      expect([path, await tried('read', { path: at(path) })]).toEqual([path, 'done: shown'])
    // As editors and the aggregator write it, while the server runs.
    put('conf/new', 'a secret')
    renameSync(at('conf/new'), at('conf/all.json'))
    put('later/state/tokens', 'a secret')
    for (const path of unseen)
      expect([path, await tried('read', { path: at(path) })]).toEqual([
        path,
        expect.stringMatching(/^refused/),
      ])
    rmSync(at('later'), { recursive: true })
  })

  test('it says what is hidden', async () => {
    await start('read')
    const report = trying && (await sandboxOf(trying.server))
    const said = describeSandbox(report ?? { by: 'none', reason: '' })
    for (const path of hidden) expect(said).toContain(path)
  })

  test.each([
    ['inside of them', { read: [at('state')] }, 'read .*state is part of .*state, which belongs'],
    [
      'that are them',
      { read: [at('conf/all.json')] },
      'read .* is part of .*all.json, which belongs',
    ],
    [
      'that lead to them',
      { read: [at('conf/state')] },
      'read .* is part of .*state, which belongs',
    ],
    [
      'around them to write',
      { write: [at('conf')] },
      'write .* contains .*all.json, which belongs',
    ],
  ])('a server that lists paths %s is not started', async (_, files, said) => {
    const tried = await start(files)
    expect(await tried('folder')).toMatch(new RegExp(said))
  })
})
