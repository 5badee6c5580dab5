import { type Pack, packDriver, readPack } from './pack-file.ts'
import type { PackCall } from './pack-thread.ts'

let opened: Promise<Pack> | undefined

/** Entry point of the thread of a pack. */
export default async function call({ path, part, method, args }: PackCall): Promise<unknown> {
  opened ??= packDriver().then((open) => readPack(open, path))
  const owner = (await opened)[part] as unknown as Record<string, (...args: unknown[]) => unknown>
  return owner[method]?.(...args)
}
