import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { countFileCalls } from '../../base/test/count-file-calls.ts'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { codeFolder } from './code-folder.ts'

/** A folder with a function that is used once, and others. */
async function folderOf(others: number) {
  const files = Object.fromEntries(
    Array.from({ length: others }, (_, at) => [
      `part${at % 20}/other${at}.ts`,
      `export function other${at}() {\n  return ${at}\n}\n`,
    ]),
  )
  const own = {
    'own/own.ts': 'export function ownName() {\n  return 1\n}\n',
    'own/use.ts': "import { ownName } from './own.ts'\nownName()\n",
  }
  const cacheFolder = temporaryFolder(onTestFinished)
  const { code, remove } = await codeFolder({ ...files, ...own }, { cacheFolder })
  onTestFinished(remove)
  // What has just been written may change again, and is not indexed.
  const clock = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => clock() + 60_000)
  await code.index()
  vi.restoreAllMocks()
  return code
}

test.skipIf(process.platform !== 'linux')(
  'a call looks at as many files among 200 as among 20',
  async () => {
    const [few, many] = [await folderOf(20), await folderOf(200)]
    const calls = {
      find: (code: typeof few) => code.findFunctions('ownName'),
      'find in a folder': (code: typeof few) => code.findFunctions('ownName', { path: 'own' }),
      'find a part': (code: typeof few) => code.findFunctions('*wnNam*'),
      references: (code: typeof few) => code.references('ownName'),
      files: (code: typeof few) => code.findFiles('own.ts'),
    }
    for (const [name, call] of Object.entries(calls)) {
      const counts: number[] = []
      for (const code of [few, many]) {
        await call(code)
        counts.push(await countFileCalls(() => call(code)))
      }
      // The index may be looked at once more in the background; a listing looks at 180 more files.
      expect(Math.abs((counts[1] ?? 0) - (counts[0] ?? 0)), name).toBeLessThan(5)
    }
  },
)

test('what is written, changed and removed is seen by the next call', async () => {
  const { code, write, folder, remove } = await codeFolder({ 'a.ts': 'export const first = 1\n' })
  onTestFinished(remove)
  const found = async (name: string) => (await code.findFunctions(name)).hits.map(({ id }) => id)
  expect(await found('laterName')).toEqual([])
  await write('new/b.ts', 'export function laterName() {}\n')
  expect(await found('laterName')).toEqual(['new/b.ts#laterName'])
  expect((await code.findFiles('b.ts')).files).toEqual(['new/b.ts'])
  await write('new/b.ts', 'export function otherName() {}\n')
  expect(await found('otherName')).toEqual(['new/b.ts#otherName'])
  await rm(`${folder}/new`, { recursive: true })
  expect(await found('otherName')).toEqual([])
  expect((await code.findFiles('b.ts')).files).toEqual([])
})
