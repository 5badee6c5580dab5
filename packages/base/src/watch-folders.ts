import { type FSWatcher, statfsSync, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { attempt } from './attempt.ts'

/** In folders. A process may have 8,192 watches and more on Linux, for all that it does. */
const maxWatched = 8_000
/** Milliseconds for which a listing is valid whose folders cannot be watched. */
const unwatchedMs = 2_000

/**
 * File systems of Linux whose changes are made on this machine, so that the kernel tells them
 * (statfs(2)): ext, XFS, Btrfs, tmpfs, ramfs, overlayfs, ZFS, F2FS, bcachefs. Those of networks and
 * of virtual machines tell only their own.
 */
const localTypes: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0x794c7630, 0x2fc12fc1, 0xf2f52010,
  0xca451a4e,
])

/** What was said. */
const warnings = new Set<string>()

/** Notices changes in folders, so that a listing of them is valid until then. */
export type FolderWatch = ReturnType<typeof watchFolders>

/**
 * Watches the folders that a listing reads. Changes through other names of a file, and those of
 * mapped memory, are not noticed. A warning of the process says once if they cannot be watched.
 */
export function watchFolders(roots: readonly string[]) {
  const watchers = new Map<string, FSWatcher>()
  /** Folders that may be others by now. */
  const moved = new Set<string>()
  let listed = new Set<string>()
  let isWatching = true
  let listedAt = Number.NEGATIVE_INFINITY
  let isChanged = true
  const reason = attempt(() => reasonAgainst(roots), 'their file system cannot be read')
  if (reason !== undefined) lose(reason)

  return {
    /** To be called before a listing. */
    begin(): void {
      listedAt = performance.now()
      isChanged = false
      listed = new Set()
      for (const folder of watchers.keys()) if (isMoved(folder)) close(folder)
      moved.clear()
    },
    /** To be called before a folder is read. */
    add(folder: string): void {
      listed.add(folder)
      if (!isWatching || watchers.has(folder)) return
      try {
        if (watchers.size < maxWatched) watchers.set(folder, start(folder))
        else lose(`they are more than ${maxWatched}`)
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException
        // What is gone is not listed, either.
        if (!['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(code)) lose(code || String(error))
        else isChanged = true
      }
    },
    /** To be called after a listing. */
    end(): void {
      for (const folder of watchers.keys()) if (!listed.has(folder)) close(folder)
    },
    /** True if a listing is as it would be now; if the folders cannot be watched, as it was 2 seconds ago. */
    async isValid(): Promise<boolean> {
      // What the system has told of is read first.
      await nextTurn()
      return !isChanged && (isWatching || performance.now() - listedAt < unwatchedMs)
    },
    /** False if changes are noticed by age only. */
    isWatching: (): boolean => isWatching,
    /** The listing failed, or is not kept. */
    invalidate(): void {
      isChanged = true
    },
    close: (): void => closeAll(),
  }

  function start(folder: string): FSWatcher {
    const watcher = watch(folder, { persistent: false }, (kind, name) => {
      isChanged = true
      if (kind !== 'rename') return
      if (moved.size > maxWatched) closeAll()
      moved.add(name === null || name === basename(folder) ? folder : join(folder, name))
      if (name !== null) moved.add(join(folder, name))
    })
    watcher.on('error', () => {
      isChanged = true
      moved.add(folder)
    })
    return watcher
  }

  function isMoved(folder: string): boolean {
    for (let at = folder; ; at = dirname(at)) {
      if (moved.has(at)) return true
      if (at === dirname(at)) return false
    }
  }

  function lose(reason: string): void {
    isWatching = false
    closeAll()
    const text = `Files of ${roots.join(', ')} are listed every ${unwatchedMs / 1_000} seconds at most, since their folders cannot be watched: ${reason}.`
    if (!warnings.has(text)) process.emitWarning(text)
    warnings.add(text)
  }

  function close(folder: string): void {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }

  function closeAll(): void {
    for (const folder of watchers.keys()) close(folder)
  }
}

/** Why folders cannot be watched. A watch of a folder of macOS has its files on no other system. */
function reasonAgainst(roots: readonly string[]): string | undefined {
  if (process.platform !== 'linux') return `${process.platform} is not tried`
  const type = roots.map((root) => statfsSync(root).type).find((each) => !localTypes.has(each))
  return type === undefined ? undefined : `their file system is of type 0x${type.toString(16)}`
}
