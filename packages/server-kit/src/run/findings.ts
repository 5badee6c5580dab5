import { access, constants, mkdir } from 'node:fs/promises'
import { styleText } from 'node:util'

/** What `doctor` found out about one requirement. */
export interface Finding {
  isOk: boolean
  /** With the remedy, if it is not. */
  text: string
}

/** One line for each, in colour in a terminal. */
export const findingsText = (findings: readonly Finding[]): string =>
  findings
    .map(({ isOk, text }) => `${isOk ? paint('green', '✓') : paint('red', '✗')} ${text}`)
    .join('\n')

/** Coloured where stdout is a terminal, unless NO_COLOR is set: https://no-color.org */
function paint(colour: 'green' | 'red', text: string): string {
  const { NO_COLOR, TERM } = process.env
  return process.stdout.isTTY && !NO_COLOR && TERM !== 'dumb' ? styleText(colour, text) : text
}

/** Whether this Node is one that is supported. */
export function nodeFinding(program: string, version: string): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isOk = major > 20 || (major === 20 && minor >= 19)
  return {
    isOk,
    text: `${program} ${version} on Node ${process.versions.node}${isOk ? '' : ': requires 20.19 or later'}`,
  }
}

/** The problem of a cache folder, if it cannot be written; it is made. */
export async function cacheProblem(folder: string): Promise<Finding | undefined> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return {
      isOk: false,
      text: `the cache folder ${folder} is not writable: ${code}; set another with --cache`,
    }
  }
}
