import type { Confined } from '../host/host.ts'
import type { SandboxedServer } from '../port/sandbox.ts'

/**
 * Confines by a command prefix, such as that of a container. `{cwd}` is replaced by the working
 * directory, and an argument with `{variable}` is repeated for each variable of the server.
 * @throws {Error} if `{cwd}` has no value
 */
export function confineByOwnCommand(server: SandboxedServer, words: readonly string[]): Confined {
  const { command, args, env, cwd, sandbox } = server
  const variables = [...new Set([...Object.keys(env), ...sandbox.listed])]
  const [program = '', ...options] = words.flatMap((word) => {
    if (word.includes('{cwd}') && cwd === undefined)
      throw new Error(`sandbox.by uses {cwd} in ${word}, but the server has no cwd`)
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
