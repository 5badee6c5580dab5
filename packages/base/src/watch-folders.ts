import { type FSWatcher, statfsSync, watch } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { attempt } from './attempt.ts'

/** A user of Linux has 8,192 watches or more, for all that runs. */
const maxWatched = 8_000
/** Milliseconds for which a listing is valid whose folders cannot be watched. */
const unwatchedMs = 2_000

/**
 * File systems of Linux whose changes are made on this machine, so that the kernel tells of them:
 * ext, XFS, Btrfs, tmpfs, ramfs, overlay, ZFS, F2FS, bcachefs. Source: the magic numbers of
 * `statfs`. Those of networks and virtual machines tell of their own changes only.
 */
const localTypes: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0x794c7630, 0x2fc12fc1, 0xf2f52010,
  0xca451a4e,
])
/** Codes of errors for a folder that is not there, or cannot be listed either. */
const unreadable = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'])

const warned = new Set<string>()

/** Notices changes in folders, so that a listing of them is valid until then. */
export type FolderWatch = ReturnType<typeof watchFolders>

/**
 * Watches the folders that a listing reads. Changes through other names of a file, and those of
 * mapped memory, are not noticed. If the folders cannot be watched, a warning of the process says
 * so once, and a listing is valid for two seconds.
 */
export function watchFolders(roots: readonly string[]) {
  const watchers = new Map<string, FSWatcher>()
  let isWatching = true
  let isChanged = true
  let listedAt = 0
  const reason = attempt(() => reasonAgainst(roots), 'their file system cannot be read')
  if (reason !== undefined) lose(reason)

  return {
    /** To be called before a listing. */
    begin(): void {
      listedAt = performance.now()
      isChanged = false
    },
    /** To be called before a folder is read. */
    add(folder: string): void {
      if (!isWatching || watchers.has(folder)) return
      try {
        if (watchers.size < maxWatched) watchers.set(folder, start(folder))
        else lose(`they are more than ${maxWatched}`)
      } catch (error) {
        const { code = String(error) } = error as NodeJS.ErrnoException
        if (unreadable.has(code)) isChanged = true
        else lose(code)
      }
    },
    /** True if a listing would be the same now. */
    async isValid(): Promise<boolean> {
      // What the system has told of is read first.
      await nextTurn()
      return !isChanged && (isWatching || performance.now() - listedAt < unwatchedMs)
    },
    /** False if a listing is valid for some time only. */
    isWatching: (): boolean => isWatching,
    /** The listing has failed. */
    invalidate(): void {
      isChanged = true
    },
    close: (): void => close(),
  }

  function start(folder: string): FSWatcher {
    return watch(folder, { persistent: false }, change).on('error', () => change('rename'))
  }

  function change(kind: string): void {
    isChanged = true
    // The folder of a name may be another one now.
    if (kind === 'rename') close()
  }

  function lose(why: string): void {
    isWatching = false
    close()
    const text = `Files of ${roots.join(', ')} are listed every ${unwatchedMs / 1_000} seconds at most, since their folders cannot be watched: ${why}.`
    if (!warned.has(text)) process.emitWarning(text)
    warned.add(text)
  }

  function close(): void {
    for (const watcher of watchers.values()) watcher.close()
    watchers.clear()
  }
}

function reasonAgainst(roots: readonly string[]): string | undefined {
  if (process.platform !== 'linux') return `on ${process.platform} that was not tried`
  const type = roots.map((root) => statfsSync(root).type).find((each) => !localTypes.has(each))
  return type === undefined ? undefined : `their file system is of type 0x${type.toString(16)}`
}
