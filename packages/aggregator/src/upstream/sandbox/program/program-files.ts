import { open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { SandboxedServer } from '../port/sandbox.ts'
import { findCommand } from './find-command.ts'
import { foldersOf } from './folders-of.ts'
import { linksOn } from './links-on.ts'
import { scriptsIn } from './scripts-in.ts'

/** What has to be seen for a program to run. */
export interface ProgramFile {
  path: string
  /** Links and files that said so; whoever can change them could say something else. */
  because: readonly string[]
}

export interface Program {
  /** Where the command stands. */
  command: string
  /** With what interprets it. */
  ofCommand: readonly ProgramFile[]
  /** What it is given to interpret. */
  ofScripts: readonly ProgramFile[]
}

/**
 * The command of a server, what it interprets, and what they are installed with.
 * @throws {Error} when the command is not found
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
    ofCommand: [...(await fileOf(command, [])), ...(await interpreterOf(command, searchPath))],
    ofScripts: ofScripts.flat(),
  }
}

/** A file, each place on the way to it, and what they are installed with. */
async function fileOf(path: string, because: readonly string[]): Promise<ProgramFile[]> {
  const { real, links } = await linksOn(path)
  const places = [...new Set([path, ...links, real])]
  const shown = (await Promise.all(places.map(foldersOf))).flat()
  return [...new Set(shown)].map((path) => ({ path, because: [...because, ...links] }))
}

/** A script names its interpreter in the first line. */
async function interpreterOf(command: string, searchPath: string): Promise<ProgramFile[]> {
  const { real } = await linksOn(command)
  const [, named = '', argument = ''] = /^#!\s*(\S+)[ \t]*(.*)/.exec(await startOf(real)) ?? []
  if (named === '') return []
  const name = basename(named) === 'env' ? argument.replace(/^-S\s+/, '').split(/\s/)[0] : named
  if (!name) return []
  try {
    return await fileOf(await findCommand(name, { searchPath, cwd: undefined }), [real])
  } catch {
    // It says so itself when it starts.
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
