/** Variables that change Node or its loader before the permission model applies. */
const weakening =
  /^(?:NODE_(?:OPTIONS|REPL_EXTERNAL_MODULE|V8_COVERAGE|REDIRECT_WARNINGS|COMPILE_CACHE)|OPENSSL_.+|LD_.+|DYLD_.+)$/i

/** Options that grant nothing. */
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

/** @throws {Error} for a variable that could disable the permission model */
export function checkVariables(env: Readonly<Record<string, string>>): void {
  const found = Object.keys(env).find((name) => weakening.test(name))
  if (found !== undefined)
    throw new Error(
      `the variable ${found} could disable the permission model of Node: remove it from env, or set "by": "bubblewrap"`,
    )
}

/**
 * @throws {Error} for an option of Node before the script that could disable the permission model
 */
export function checkArguments(args: readonly string[]): void {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (!arg.startsWith('-') || arg === '-' || arg === '--') return
    // Node accepts underscores, too.
    const [name = ''] = arg.replaceAll('_', '-').split('=')
    const isHarmless = harmless.some((one) =>
      one.endsWith('-') ? name.startsWith(one) : name === one,
    )
    if (!isHarmless || /permission/.test(name))
      throw new Error(
        `the option ${name} of Node could disable its permission model: remove it from args, or set "by": "bubblewrap"`,
      )
    if (name === '-e' || name === '--eval') return
    if (withValue.has(name) && !arg.includes('=')) at++
  }
}
