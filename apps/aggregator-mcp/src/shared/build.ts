import { readFileSync, statSync } from 'node:fs'

/** Which of two programs is newer: by version, and of one version by when it was written. */
export interface Build {
  version: string
  writtenMs: number
}

/** The build whose entry this is; its `package.json` is in the parent folder. */
export function buildOf(entry: URL): Build {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', entry), 'utf8'))
  return { version, writtenMs: statSync(entry).mtimeMs }
}

export function isNewer(one: Build, other: Build): boolean {
  const [a, b] = [one, other].map(({ version }) => version.split(/\D/, 3).map(Number))
  for (const at of [0, 1, 2]) {
    const difference = (a?.[at] ?? 0) - (b?.[at] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return one.writtenMs > other.writtenMs
}
