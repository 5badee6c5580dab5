import { delimiter, join, resolve } from 'node:path'
import { isProgram } from '../host/is-program.ts'

/**
 * The path of a command, found as the operating system finds it. @throws {Error} if it is not found
 */
export async function findCommand(
  command: string,
  { searchPath, cwd = '' }: { searchPath: string; cwd?: string | undefined },
): Promise<string> {
  const isPath = /[/\\]/.test(command)
  const places = isPath
    ? [resolve(cwd, command)]
    : searchPath
        .split(delimiter)
        .filter((folder) => folder !== '')
        .map((folder) => join(resolve(cwd, folder), command))
  for (const place of places) if (await isProgram(place)) return place
  throw new Error(`the command ${command} was not found`)
}
