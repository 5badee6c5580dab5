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
  const scripts: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const inlineFile = withOwnFile.exec(arg)?.[1]
    const file = inlineFile ?? (withFile.test(arg) ? args[++at] : undefined)
    if (file !== undefined) {
      if (await isFile(file, cwd)) scripts.push(file)
      if (arg === '-jar') return scripts
      continue
    }
    if (arg.startsWith('-') || words.has(arg)) continue
    if (await isFile(arg, cwd)) scripts.push(arg)
    return scripts
  }
  return scripts
}

const isFile = (path: string, cwd = ''): Promise<boolean> =>
  Promise.resolve()
    .then(() => stat(resolve(cwd, path)))
    .then(
      (stats) => stats.isFile(),
      () => false,
    )
