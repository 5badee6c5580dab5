// Run a script of this repository with the pinned pnpm on the PATH. Where it does not run already,
// npm brings it; nothing is installed globally.
import { spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { runStepQuietly } from './run-step.mjs'
import { createProgress } from './start/progress.mjs'
import { StepFailed } from './start/step-failed.mjs'

const { packageManager, engines } = JSON.parse(readFileSync('package.json', 'utf8'))

const [major, minor] = process.versions.node.split('.').map(Number)
const [minMajor, minMinor] = engines.node.match(/\d+/g).map(Number)
if (major < minMajor || (major === minMajor && minor < minMinor)) {
  console.error(
    `Pith needs Node ${engines.node}; this is ${process.version}. Newer ones: https://nodejs.org`,
  )
  process.exit(1)
}

const env = {
  ...process.env,
  // In milliseconds; a script that says how long it took counts the download of pnpm in.
  PITH_STARTED: String(Date.now()),
  // Neither npm nor pnpm offers a newer version of itself between the lines of a script.
  npm_config_update_notifier: 'false',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  TURBO_TELEMETRY_DISABLED: '1',
  ...(canWrite(homedir()) ? {} : homeHere()),
}
const progress = createProgress()
let child

// A ctrl-C reaches the child as well; stay until it has cleaned up.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => (child ? child.kill(signal) : process.exit(130)))

try {
  const PATH = await pathWithPnpm()
  child = spawn(process.execPath, process.argv.slice(2), {
    stdio: 'inherit',
    env: { ...env, PATH },
  })
  child.on('exit', (code, signal) => process.exit(signal ? 130 : (code ?? 1)))
} catch (error) {
  progress.end()
  console.error(error.message)
  process.exit(1)
}

/** @throws {StepFailed} */
async function pathWithPnpm() {
  const { npm_config_user_agent: agent = '', npm_execpath: npm, PATH } = process.env
  if (agent.startsWith(`${packageManager.replace('@', '/')} `)) return PATH
  if (process.stderr.isTTY) progress.begin('Fetching pnpm')
  // Other package managers give their own path by the same name.
  const [command, ...first] = npm && agent.startsWith('npm/') ? [process.execPath, npm] : ['npm']
  const what = ['exec', '--yes', `--package=${packageManager}`, '--', 'node', '-p']
  let output = ''
  const args = [...first, ...what, 'process.env.PATH']
  const keep = (text) => {
    output = text
  }
  const code = await runStepQuietly(command, args, keep, { env })
  progress.end()
  if (code === 0) return output.trim().split('\n').at(-1)
  throw new StepFailed('Fetching pnpm', `npm ${what.slice(0, 3).join(' ')}`, code, output)
}

function canWrite(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** npm, pnpm and what we start keep caches in the home folder; here, if it cannot be written. */
function homeHere() {
  const home = resolve('.home')
  mkdirSync(home, { recursive: true })
  console.error(`${homedir()} cannot be written; caches are kept in ${home}.`)
  const userconfig = process.env.npm_config_userconfig ?? join(homedir(), '.npmrc')
  // npm has handed on the cache it could not write as if it had been asked for.
  const env = { HOME: home, USERPROFILE: home, npm_config_userconfig: userconfig }
  return process.env.npm_config_cache?.startsWith(homedir())
    ? { ...env, npm_config_cache: join(home, '.npm') }
    : env
}
