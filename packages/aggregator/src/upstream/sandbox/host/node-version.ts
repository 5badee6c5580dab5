import { realpath, stat } from 'node:fs/promises'
import { runBounded } from './run-bounded.ts'

export interface NodeVersion {
  major: number
  minor: number
  /** As reported by `--version`. */
  text: string
}

const cached = new Map<string, Promise<NodeVersion>>()

/** The version of a Node binary; run once per file. @throws {Error} if it prints none */
export async function nodeVersion(command: string): Promise<NodeVersion> {
  const path = await realpath(command)
  const { mtimeMs, size } = await stat(path)
  const key = `${path}\0${mtimeMs}\0${size}`
  let pending = cached.get(key)
  if (pending === undefined) {
    pending = ask(command)
    cached.set(key, pending)
    pending.catch(() => cached.delete(key))
  }
  return pending
}

async function ask(command: string): Promise<NodeVersion> {
  const { stdout, stderr } = await runBounded(command, ['--version'])
  const [, text = '', major, minor] = /^v((\d+)\.(\d+)\.\d+)/.exec(stdout) ?? []
  if (text === '')
    throw new Error(
      `${command} does not report a version of Node (${(stderr || stdout).trim().split('\n', 1)[0]})`,
    )
  return { text, major: Number(major), minor: Number(minor) }
}
