import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../packages/base/test/temporary-folder.ts'
import { diagnose } from '../src/cli/doctor.ts'
import { readDocsSettings } from '../src/config.ts'

function cookieFile(lines: readonly string[]): string {
  const folder = temporaryFolder(onTestFinished)
  const path = join(folder, 'cookies.txt')
  writeFileSync(path, lines.join('\n').replaceAll(' ', '\t'), { mode: 0o600 })
  return path
}

const findingsOf = async (cookies: string | undefined) => {
  const settings = readDocsSettings({ cache: false, cookies }, undefined, {})
  return (await diagnose(settings, [])).filter(({ text }) => /cookie/.test(text))
}

test('the doctor counts the cookies, those that ended and lines that are none', async () => {
  const path = cookieFile([
    'docs.example FALSE / FALSE 0 session ada',
    '.docs.example TRUE / FALSE 1700000000 account ada',
    'wiki.example FALSE / FALSE 1700000000 account ada',
    'wiki.example',
  ])
  expect(await findingsOf(path)).toEqual([
    { isOk: true, text: '3 cookies for 2 hosts; 2 ended; 1 line not read: malformed' },
  ])
  expect(await findingsOf(undefined)).toEqual([])
})

test('cookies that all ended, and a file that others may read, are failures', async () => {
  const path = cookieFile(['docs.example FALSE / FALSE 1700000000 session ada'])
  expect(await findingsOf(path)).toEqual([{ isOk: false, text: '1 cookie for 1 host; 1 ended' }])
  chmodSync(path, 0o604)
  const [finding] = await findingsOf(path)
  expect(finding).toMatchObject({ isOk: false, text: expect.stringMatching(/mode 604.*chmod 600/) })
})
