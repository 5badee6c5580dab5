/** What to do about a failure, by what the output of the command says. */
const remedies = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|FETCH_FAIL|FETCH_\d{3}/,
    'The package registry does not answer. Check the network; behind a proxy, set HTTPS_PROXY. Then run the command again: it goes on where it stopped.',
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/,
    'The certificate of the package registry is not trusted. Behind a company proxy, set NODE_EXTRA_CA_CERTS to its certificate.',
  ],
  [
    /ENOSPC/,
    'The disk is full. This takes about 350 MB, with --all about 1.5 GB, package cache included.',
  ],
  [
    /EACCES|EPERM|EROFS/,
    'A file cannot be written. Check who owns this folder and the cache of npm and pnpm in your home folder.',
  ],
  [
    /OUTDATED_LOCKFILE|LOCKFILE_CONFIG_MISMATCH/,
    'pnpm-lock.yaml does not fit package.json. Undo local changes to both: git checkout package.json pnpm-lock.yaml',
  ],
]
const general =
  'Delete node_modules and run the command again. If that does not help, open an issue with these lines: SUPPORT.md says where.'

/** Of the output that are shown. */
const maxLines = 40

/** A command that ended with an error: what failed, what it wrote, and what to do about it. */
export class StepFailed extends Error {
  name = 'StepFailed'

  constructor(step, command, code, output) {
    const all = output.split(/\r?\n/).filter((line) => line.trim() && !isNoise(line))
    const lines = all.slice(-maxLines)
    const extent = lines.length < all.length ? `The last ${maxLines} lines of its` : 'Its'
    const [, remedy = general] = remedies.find(([pattern]) => pattern.test(output)) ?? []
    super(`${step} failed: ${command} ended with ${code}. ${extent} output:

${lines.map((line) => `  │ ${line}`).join('\n')}

${remedy}`)
  }
}

/** Progress and repeated tries of pnpm, bars, stacks, and the properties of errors of npm. */
const isNoise = (line) =>
  /^Progress: resolved \d|will retry in|\| \+\d+ \++$|^\s+at |^npm error(\s*$|\s{2,}| \})/i.test(
    line,
  )
