// Run a script of this repository with the pinned pnpm on the PATH. npm brings it; nothing is
// installed globally.
import { spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

const { packageManager, engines } = JSON.parse(readFileSync('package.json', 'utf8'))

const [major, minor] = process.versions.node.split('.').map(Number)
const [leastMajor, leastMinor] = engines.node.match(/\d+/g).map(Number)
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  console.error(`Pith needs Node ${engines.node}; this is ${process.version}.`)
  process.exit(1)
}

const npm = process.env.npm_execpath
const [command, ...first] = npm ? [process.execPath, npm] : ['npm']
const args = [...first, 'exec', '--yes', `--package=${packageManager}`, '--', 'node']
const child = spawn(command, [...args, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, ...(canWrite(homedir()) ? {} : homeHere()) },
})

// A ctrl-C reaches the child as well; stay until it has cleaned up.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 130 : (code ?? 1)))
child.on('error', (error) => {
  console.error(`npm could not be started: ${error.message}`)
  process.exit(1)
})

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
