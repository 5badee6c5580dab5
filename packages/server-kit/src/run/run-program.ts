import { readFileSync } from 'node:fs'
import { UsageError } from '../settings/read-settings.ts'

/**
 * Runs `main`. An error is printed with its remedy, and the exit code is 2 for wrong usage and 1 for
 * any other. `hint` is appended to the remedy of an error.
 */
export async function runProgram(
  name: string,
  main: () => Promise<void>,
  hint: (error: Error) => string = () => '',
): Promise<void> {
  try {
    await main()
  } catch (error) {
    if (error instanceof UsageError) {
      log(name, `${error.message}\nTry ${name} --help.`)
      process.exitCode = 2
      return
    }
    const remedy =
      error instanceof Error && 'remedy' in error ? ` ${error.remedy}${hint(error)}` : ''
    log(name, `${messageOf(error)}${remedy}`)
    process.exitCode = 1
  }
}

/** What a person can do about a file that cannot be written, by the code of its error. */
const fileRemedies: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full. Free some space, and try again.',
  EDQUOT: 'The quota of this user is used up. Free some space, and try again.',
  EROFS: 'The file system is read-only. Name another folder.',
  EACCES: 'Check who owns it, and its mode, or name another folder.',
  EPERM: 'Check who owns it, and its mode, or name another folder.',
}

/** The message of an error, with the file and the remedy if the file system refused it. */
export function messageOf(error: unknown): string {
  const { code = '', path, message } = Object(error) as NodeJS.ErrnoException
  const remedy = Object.hasOwn(fileRemedies, code) ? fileRemedies[code] : undefined
  if (remedy !== undefined) return `${path ?? 'A file'} cannot be written (${code}). ${remedy}`
  return error instanceof Error ? message : String(error)
}

/** The version in `../package.json` of a module, so that the two cannot differ. */
export function readVersion(moduleUrl: string): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', moduleUrl), 'utf8'))
  return (manifest as { version: string }).version
}

/** Writes a line of the program `name` to stderr; stdout is for the protocol and for results. */
export const log = (name: string, text: string): void =>
  void process.stderr.write(`${name}: ${text}\n`)

/** The message without the stack trace, for people who read stderr. */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.split('\n', 1)[0]?.slice(0, 300) ?? ''
}
