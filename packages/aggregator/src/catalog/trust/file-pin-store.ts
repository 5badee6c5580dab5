import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { attempt } from '#base/attempt'
import { withLock } from '#base/replace-file'
import { reasonOf, type Seal } from '#servers/secrets/seal'
import { copyOfPins, emptyPins, type PinnedServer, type PinStore, pinnedServer } from './pin.ts'

/**
 * One file per server, which is sealed. A file that cannot be read, or that another program wrote,
 * does not count as empty: all tools of its server are held until it is removed and reviewed again.
 */
export function createFilePinStore(
  folder: string,
  seal: Seal,
  onLog: (text: string) => void,
): PinStore {
  const fileOf = (server: string, source: string): string =>
    join(folder, `${encodeURIComponent(server)}.${source.slice(0, 8)}.json`)
  /** Files may be long: each version of a file is parsed once. */
  const cache = new Map<string, { stamp: string; found?: { pins: ReadPins } }>()
  let version = 0
  let folderStamp = ''

  function noteState(file: string): void {
    const stamp = stampOf(file)
    const before = cache.get(file)
    if (before?.stamp === stamp) return
    if (before !== undefined) version++
    cache.set(file, { stamp })
  }

  function pinsIn(file: string): ReadPins {
    noteState(file)
    const state = cache.get(file)
    if (state?.found !== undefined) return state.found.pins
    const pins = readPins(file, seal)
    if (state !== undefined) state.found = { pins }
    return pins
  }

  function read(server: string, source: string): PinnedServer {
    const file = fileOf(server, source)
    const pins = pinsIn(file)
    if (pins === undefined)
      return { ...emptyPins(server, source), ...(seal.isKnown(basename(file)) && { isLost: true }) }
    if (pins instanceof Error) {
      onLog(`${file} cannot be read (${pins.message}); the pins of ${server} are unknown.`)
      throw pins
    }
    return pins
  }

  return {
    read,
    change(server, source, edit) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const file = fileOf(server, source)
      withLock(file, () => {
        const pins = copyOfPins(read(server, source))
        edit(pins)
        seal.write(file, basename(file), pins)
        version++
        cache.set(file, { stamp: stampOf(file), found: { pins } })
      })
    },
    version() {
      const stamp = stampOf(folder)
      if (stamp === folderStamp) return version
      // Another change may happen within the resolution of the file's time.
      if (!isFresh(folder)) folderStamp = stamp
      for (const file of cache.keys()) noteState(file)
      return version
    },
    all: () =>
      namesIn(folder).flatMap((name) => {
        const pins = pinsIn(join(folder, name))
        return pins === undefined || pins instanceof Error ? [] : [pins]
      }),
  }
}

type ReadPins = PinnedServer | Error | undefined

function readPins(file: string, seal: Seal): ReadPins {
  try {
    // Reading alone creates no key.
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined
    const content = seal.open(basename(file), () => readFileSync(file, 'utf8'))
    return copyOfPins(pinnedServer.parse(content))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    return new Error(reasonOf(error))
  }
}

const namesIn = (folder: string): string[] =>
  attempt(() => readdirSync(folder).filter((name) => name.endsWith('.json')), [])

/** Changes with each change of the file; empty if it does not exist. */
function stampOf(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path)
    return `${ino} ${size} ${mtimeMs} ${ctimeMs}`
  } catch {
    return ''
  }
}

const freshMs = 50

const isFresh = (path: string): boolean =>
  attempt(() => Math.abs(Date.now() - statSync(path).mtimeMs) < freshMs, false)
