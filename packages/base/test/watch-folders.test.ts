import fs from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { watchFolders } from '../src/watch-folders.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A folder with `a/b/page.md`, which is listed and watched. */
async function watched() {
  const root = temporaryFolder(onTestFinished)
  await mkdir(join(root, 'a/b'), { recursive: true })
  await writeFile(join(root, 'a/b/page.md'), 'text')
  const watch = watchFolders([root])
  onTestFinished(() => watch.close())
  const list = async (): Promise<void> => {
    watch.begin()
    const folders = [root]
    for (const folder of folders) {
      watch.add(folder)
      for (const entry of await readdir(folder, { withFileTypes: true }))
        if (entry.isDirectory()) folders.push(join(folder, entry.name))
    }
  }
  await list()
  return { root, watch, list }
}

const changes: [string, (root: string) => Promise<unknown>][] = [
  ['a file that is written', (root) => writeFile(join(root, 'a/b/page.md'), 'other')],
  ['a new file', (root) => writeFile(join(root, 'a/new.md'), '')],
  ['a file that is removed', (root) => rm(join(root, 'a/b/page.md'))],
  ['a new folder', (root) => mkdir(join(root, 'a/c'))],
  ['a folder that is removed', (root) => rm(join(root, 'a'), { recursive: true })],
  ['a folder with another name', (root) => rename(join(root, 'a/b'), join(root, 'a/c'))],
]

test.skipIf(process.platform !== 'linux').each(changes)('%s is noticed', async (_, change) => {
  const { root, watch, list } = await watched()
  expect(await watch.isValid()).toBe(true)
  await change(root)
  expect(await watch.isValid()).toBe(false)
  await list()
  expect(await watch.isValid()).toBe(true)
})

test.skipIf(process.platform !== 'linux')(
  'what changes in a folder that took the place of another is noticed',
  async () => {
    const { root, watch, list } = await watched()
    await rename(join(root, 'a'), `${root}-gone`)
    await mkdir(join(root, 'a/b'), { recursive: true })
    onTestFinished(() => rm(`${root}-gone`, { recursive: true }))
    await list()
    // What was moved away is no longer watched.
    await writeFile(join(`${root}-gone`, 'b/page.md'), 'other')
    expect(await watch.isValid()).toBe(true)
    await writeFile(join(root, 'a/b/page.md'), 'new')
    expect(await watch.isValid()).toBe(false)
  },
)

test('on the file system of a network, a listing is valid for two seconds, which is said once', async () => {
  const statfs = vi.spyOn(fs, 'statfsSync').mockReturnValue({ type: 0x6969 } as fs.StatsFs)
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const time = vi.spyOn(performance, 'now').mockReturnValue(0)
  syncBuiltinESMExports()
  try {
    const { root, watch, list } = await watched()
    await writeFile(join(root, 'a/new.md'), '')
    time.mockReturnValue(1_999)
    expect(await watch.isValid()).toBe(true)
    time.mockReturnValue(2_000)
    expect(await watch.isValid()).toBe(false)
    await list()
    expect(await watch.isValid()).toBe(true)
    expect(warned).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining('cannot be watched: their file system is of type 0x6969.'),
    )
  } finally {
    for (const each of [statfs, warned, time]) each.mockRestore()
    syncBuiltinESMExports()
  }
})

test('more folders than can be watched are listed again after two seconds', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const watch = vi.spyOn(fs, 'watch').mockImplementation(() => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  })
  syncBuiltinESMExports()
  try {
    const it = await watched()
    expect(it.watch.isWatching()).toBe(false)
    expect(await it.watch.isValid()).toBe(true)
    expect(warned).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('ENOSPC'))
  } finally {
    for (const each of [watch, warned]) each.mockRestore()
    syncBuiltinESMExports()
  }
})
