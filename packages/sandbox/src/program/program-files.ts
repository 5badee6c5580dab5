import { open } from 'node:fs/promises'
import { basename, delimiter, join, resolve } from 'node:path'
import { isProgram } from '../host/is-program.ts'
import type { SandboxedServer } from '../port/sandbox.ts'
import { foldersOf } from './folders-of.ts'
import { linksOn } from './links-on.ts'
import { scriptsIn } from './scripts-in.ts'

/** A file that a program needs to run. */
export interface ProgramFile {
  path: string
  /** Links and scripts that led to it; a process that can change them can choose another file. */
  because: readonly string[]
}

export interface Program {
  /** Path of the command. */
  command: string
  /** Of the command, its interpreter and the scripts among the arguments. */
  files: readonly ProgramFile[]
}

/**
 * The command of a server, its scripts, and the packages they belong to.
 * @throws {Error} if the command is not found
 */
export async function programFiles(server: SandboxedServer): Promise<Program> {
  const { args, cwd } = server
  const searchPath = server.env['PATH'] ?? server.sandbox.env['PATH'] ?? server.sandbox.searchPath
  const command = await findCommand(server.command, { searchPath, cwd })
  const scripts = await scriptsIn(basename(server.command), args, cwd)
  const ofScripts = await Promise.all(
    scripts.map((script) => fileOf(resolve(cwd ?? '', script), [])),
  )
  return {
    command,
    files: [
      ...(await fileOf(command, [])),
      ...(await interpreterOf(command, searchPath)),
      ...ofScripts.flat(),
    ],
  }
}

/** A file, the links to it, and the packages they belong to. */
async function fileOf(path: string, because: readonly string[]): Promise<ProgramFile[]> {
  const { real, links } = await linksOn(path)
  const places = [...new Set([path, ...links, real])]
  return [...new Set(places.flatMap(foldersOf))].map((path) => ({
    path,
    because: [...because, ...links],
  }))
}

/** The interpreter in the first line of a script. */
async function interpreterOf(command: string, searchPath: string): Promise<ProgramFile[]> {
  const { real } = await linksOn(command)
  const [, program = '', argument = ''] = /^#!\s*(\S+)[ \t]*(.*)/.exec(await startOf(real)) ?? []
  if (program === '') return []
  const name = basename(program) === 'env' ? argument.replace(/^-S\s+/, '').split(/\s/)[0] : program
  if (!name) return []
  try {
    return await fileOf(await findCommand(name, { searchPath, cwd: undefined }), [real])
  } catch {
    // The script reports a missing interpreter when it starts.
    return []
  }
}

async function startOf(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return ''
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/**
 * The path of a command, found as the operating system finds it. @throws {Error} if it is not found
 */
async function findCommand(
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
