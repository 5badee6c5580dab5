import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { replaceFile, withLock } from '../files/replace-file.ts'
import { emptyPins, type PinnedServer, type PinStore } from './pin.ts'

const definition = z.record(z.string(), z.unknown())
const pinned = z.object({
  server: z.string(),
  source: z.string(),
  pins: z.record(
    z.string(),
    z.object({
      hash: z.string(),
      definition,
      pinnedAt: z.number(),
      isApproved: z.boolean().optional(),
    }),
  ),
  waiting: z.record(
    z.string(),
    z.object({
      hash: z.string(),
      definition,
      reasons: z.array(z.string()),
      seenAt: z.number(),
    }),
  ),
})

/**
 * A file for each server in a folder. A file that cannot be read is not taken for an empty one: all
 * tools of its server wait until it is mended or removed.
 */
export function createFilePinStore(folder: string, onLog: (text: string) => void): PinStore {
  const fileOf = (server: string, source: string): string =>
    join(folder, `${encodeURIComponent(server)}.${source.slice(0, 8)}.json`)

  function read(server: string, source: string): PinnedServer {
    const file = fileOf(server, source)
    const found = readPins(file)
    if (found === undefined) return emptyPins(server, source)
    if (found instanceof Error) {
      onLog(`${file} cannot be read (${found.message}); what it says of ${server} is not known.`)
      throw found
    }
    return found
  }

  return {
    read,
    change(server, source, edit) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const file = fileOf(server, source)
      withLock(file, () => {
        const pinned = read(server, source)
        edit(pinned)
        replaceFile(file, `${JSON.stringify(pinned, null, 1)}\n`)
      })
    },
    version: () => newestIn(folder),
    all: () =>
      namesIn(folder).flatMap((name) => {
        const found = readPins(join(folder, name))
        return found === undefined || found instanceof Error ? [] : [found]
      }),
  }
}

function readPins(file: string): PinnedServer | Error | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
      ? undefined
      : (error as Error)
  }
  try {
    const { server, source, pins, waiting } = pinned.parse(JSON.parse(text))
    // Names of tools are keys, whatever they are.
    const empty = emptyPins(server, source)
    return {
      ...empty,
      pins: Object.assign(empty.pins, pins),
      waiting: Object.assign(empty.waiting, waiting),
    }
  } catch {
    return new Error('it is damaged')
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
}

function newestIn(folder: string): number {
  try {
    return statSync(folder).mtimeMs
  } catch {
    return 0
  }
}
