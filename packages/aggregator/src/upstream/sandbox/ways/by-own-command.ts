import type { Confined } from '../machine/machine.ts'
import type { SandboxedServer } from '../port/sandbox.ts'

/**
 * A command put in front, such as that of a container: `{cwd}` in it stands for the working
 * directory, and an argument with `{variable}` is there once for each variable of the server.
 * @throws {Error} for a placeholder without a value
 */
export function byOwnCommand(server: SandboxedServer, words: readonly string[]): Confined {
  const { command, args, env, cwd, sandbox } = server
  const variables = [...new Set([...Object.keys(env), ...sandbox.listed])]
  const [program = '', ...options] = words.flatMap((word) => {
    if (word.includes('{cwd}') && cwd === undefined)
      throw new Error(`sandbox.by has {cwd} in ${word}, and there is no cwd`)
    const placed = word.replaceAll('{cwd}', () => cwd ?? '')
    return placed.includes('{variable}')
      ? variables.map((name) => placed.replaceAll('{variable}', () => name))
      : [placed]
  })
  return {
    launch: {
      command: program,
      args: [...options, command, ...args],
      env: { ...sandbox.env, ...env },
      cwd,
      isConfined: true,
    },
    report: { by: 'command', program, variables: sandbox.listed },
  }
}
