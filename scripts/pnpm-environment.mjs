// What a script needs before anything is installed: a Node that is new enough, and the pinned pnpm.
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { runStepQuietly } from './run-step.mjs'
import { StepFailed } from './start/step-failed.mjs'

const { packageManager: pinned, engines } = JSON.parse(readFileSync('package.json', 'utf8'))
/** Without the hash, which Corepack checks. */
const [packageManager] = pinned.split('+')

/** Ends the process where Node is too old. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [minMajor, minMinor] = engines.node.match(/\d+/g).map(Number)
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return
  console.error(
    `Pith needs Node ${engines.node}; this is ${process.version}. Newer ones: https://nodejs.org`,
  )
  process.exit(1)
}

/**
 * The environment in which `pnpm` is the pinned one. Where it does not run already, npm brings it;
 * nothing is installed globally.
 *
 * @throws {StepFailed}
 */
export async function environmentWithPnpm({ progress, signal }) {
  const env = {
    ...process.env,
    // Neither npm nor pnpm offers a newer version of itself between the lines of a script.
    npm_config_update_notifier: 'false',
    TURBO_NO_UPDATE_NOTIFIER: '1',
    TURBO_TELEMETRY_DISABLED: '1',
    ...(canWrite(homedir()) ? {} : homeHere()),
  }
  return { ...env, PATH: await pathWithPnpm(env, { progress, signal }) }
}

async function pathWithPnpm(env, { progress, signal }) {
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
  const code = await runStepQuietly(command, args, keep, { env, signal })
  signal?.throwIfAborted()
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
