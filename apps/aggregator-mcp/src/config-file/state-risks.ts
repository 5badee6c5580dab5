import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, relative, resolve } from 'node:path'
import { attempt } from '@pith-mcp/base/attempt'

/** That a server is given the state folder, where it could weaken approvals, pins and tokens. */
export function stateRisks(entry: object, state: string | false): string[] {
  if (state === false) return []
  const { args = [], env = {}, cwd } = entry as { args?: unknown; env?: object; cwd?: unknown }
  const folder = real(state)
  const texts = [...[args].flat(), ...Object.values(env), cwd]
  return texts.flatMap((text) => {
    const path = typeof text === 'string' ? pathIn(text) : undefined
    if (path === undefined || !(isWithin(folder, path) || isWithin(path, folder))) return []
    return [
      `It is given ${path}, which has the state of the aggregator: approvals, pins and tokens.`,
    ]
  })
}

/** The absolute path that a text is, or ends with: `--root=/srv`, `/srv:/srv`. */
function pathIn(text: string): string | undefined {
  const [, value = text] = /^--?[\w-]+=(.+)$/s.exec(text) ?? []
  const [, source = value] = /^(\/[^:]*):/.exec(value) ?? []
  const path = source.replace(/^(?:~|\$\{?HOME\}?)(?=\/|$)/, () => homedir())
  return isAbsolute(path) ? real(path) : undefined
}

const real = (path: string): string => attempt(() => realpathSync(path), undefined) ?? resolve(path)

const isWithin = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return !way.startsWith('..') && !isAbsolute(way)
}
