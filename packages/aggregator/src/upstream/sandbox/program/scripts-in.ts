import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'

/** Programs that run a script given as an argument. */
const interpreters =
  /^(?:node|nodejs|deno|bun|tsx|python[\d.]*|pypy[\d.]*|ruby|perl|php|java|lua|Rscript|bash|dash|sh|zsh)(?:\.exe)?$/i

/** Options whose value is a file of code. */
const withFile = /^(?:-r|--require|--import|--loader|--experimental-loader|-jar)$/
const withOwnFile = /^--(?:require|import|loader|experimental-loader)=(.+)/s

/** Subcommands and options before the script. */
const words = new Set(['run', '-A', '--allow-all'])

/** Scripts and modules among the arguments of an interpreter, as written. */
export async function scriptsIn(
  command: string,
  args: readonly string[],
  cwd: string | undefined,
): Promise<string[]> {
  if (!interpreters.test(command)) return []
  const found: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const own = withOwnFile.exec(arg)?.[1]
    const named = own ?? (withFile.test(arg) ? args[++at] : undefined)
    if (named !== undefined) {
      if (await isFile(named, cwd)) found.push(named)
      if (arg === '-jar') return found
      continue
    }
    if (arg.startsWith('-') || words.has(arg)) continue
    if (await isFile(arg, cwd)) found.push(arg)
    return found
  }
  return found
}

const isFile = (path: string, cwd = ''): Promise<boolean> =>
  Promise.resolve()
    .then(() => stat(resolve(cwd, path)))
    .then(
      (found) => found.isFile(),
      () => false,
    )
