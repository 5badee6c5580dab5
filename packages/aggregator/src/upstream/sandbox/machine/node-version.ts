import { realpath, stat } from 'node:fs/promises'
import { runBounded } from './run-bounded.ts'

export interface NodeVersion {
  major: number
  minor: number
  /** As it is said. */
  text: string
}

const known = new Map<string, Promise<NodeVersion>>()

/** Which Node a command is; asked once of each file. @throws {Error} when it does not say */
export async function nodeVersion(command: string): Promise<NodeVersion> {
  const path = await realpath(command)
  const { mtimeMs, size } = await stat(path)
  const key = `${path}\0${mtimeMs}\0${size}`
  let asked = known.get(key)
  if (asked === undefined) {
    asked = ask(command)
    known.set(key, asked)
    asked.catch(() => known.delete(key))
  }
  return asked
}

async function ask(command: string): Promise<NodeVersion> {
  const { stdout, stderr } = await runBounded(command, ['--version'])
  const [, text = '', major, minor] = /^v((\d+)\.(\d+)\.\d+)/.exec(stdout) ?? []
  if (text === '')
    throw new Error(
      `${command} does not say which Node it is (${(stderr || stdout).trim().split('\n', 1)[0]})`,
    )
  return { text, major: Number(major), minor: Number(minor) }
}
