/** They say to Node, or to what loads it, what it does before the permission model is there. */
const weakening =
  /^(?:NODE_(?:OPTIONS|REPL_EXTERNAL_MODULE|V8_COVERAGE|REDIRECT_WARNINGS|COMPILE_CACHE)|OPENSSL_.+|LD_.+|DYLD_.+)$/i

/** Those that allow nothing. */
const harmless = [
  ...['--enable-source-maps', '--no-deprecation', '--no-warnings', '--disable-warning'],
  ...['--trace-warnings', '--trace-deprecation', '--trace-uncaught'],
  ...[
    '--max-',
    '--stack-size',
    '--stack-trace-limit',
    '--unhandled-rejections',
    '--dns-result-order',
  ],
  ...[
    '--use-system-ca',
    '--use-openssl-ca',
    '--use-bundled-ca',
    '--input-type',
    '--conditions',
    '-C',
  ],
  ...[
    '--experimental-strip-types',
    '--experimental-transform-types',
    '--no-experimental-',
    '--expose-gc',
  ],
  ...['--preserve-symlinks', '-r', '--require', '--import', '-e', '--eval', '--optimize-for-size'],
]

/** Options whose value is the next argument. */
const withValue = new Set([
  '-C',
  '--conditions',
  '-r',
  '--require',
  '--import',
  '--disable-warning',
])

/** @throws {Error} for a variable that could undo the permission model */
export function checkVariables(env: Readonly<Record<string, string>>): void {
  const found = Object.keys(env).find((name) => weakening.test(name))
  if (found !== undefined)
    throw new Error(
      `the variable ${found} could undo the permission model of Node: take it out of env, or say "by": "bubblewrap"`,
    )
}

/** @throws {Error} for an option of Node in front of the script that could undo it */
export function checkArguments(args: readonly string[]): void {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (!arg.startsWith('-') || arg === '-' || arg === '--') return
    // Node takes both.
    const [name = ''] = arg.replaceAll('_', '-').split('=')
    const isHarmless = harmless.some((one) =>
      one.endsWith('-') ? name.startsWith(one) : name === one,
    )
    if (!isHarmless || /permission/.test(name))
      throw new Error(
        `the option ${name} of Node could undo its permission model: take it out of args, or say "by": "bubblewrap"`,
      )
    if (name === '-e' || name === '--eval') return
    if (withValue.has(name) && !arg.includes('=')) at++
  }
}
