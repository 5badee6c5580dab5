// Draw docs/start-light.svg and docs/start-dark.svg: what `npm start` prints in a fresh copy of this
// repository, with empty caches. Needs the package registry, and half a minute. Prints it as JSON.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { drawRecording, recordedLines, themeNames } from './start/recording.mjs'

const folder = mkdtempSync(join(tmpdir(), 'pith-record-'))
try {
  const started = startIn(copyTo(join(folder, 'pith')), join(folder, 'home'))
  const lines = ['$ npm start', ...recordedLines(started)]
  for (const theme of themeNames)
    writeFileSync(`docs/start-${theme}.svg`, drawRecording(lines, theme))
  console.log(JSON.stringify(started))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Tracked and untracked files of the working tree. */
function copyTo(to) {
  const listed = execFileSync('git', [
    'ls-files',
    '-z',
    '-co',
    '--exclude-standard',
    '--deduplicate',
  ])
  const deleted = execFileSync('git', ['ls-files', '-z', '--deleted'])
  const gone = new Set(String(deleted).split('\0'))
  for (const file of String(listed).split('\0'))
    if (file && !gone.has(file)) cpSync(file, join(to, file))
  return to
}

function startIn(cwd, home) {
  mkdirSync(home)
  const env = {
    ...process.env,
    ...{ HOME: home, USERPROFILE: home, INIT_CWD: cwd },
    ...{ npm_config_cache: join(home, '.npm'), npm_config_store_dir: join(home, 'store') },
    npm_config_userconfig: process.env.npm_config_userconfig ?? join(homedir(), '.npmrc'),
  }
  const { status, stdout, stderr } = spawnSync('npm', ['start', '--', '--json'], {
    cwd,
    env,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm start ended with ${status}:\n${stderr}`)
  // npm prints the name of the script first.
  return JSON.parse(stdout.trim().split('\n').at(-1))
}
