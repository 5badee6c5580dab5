import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeTogether } from '#base/write-together'
import type { Launch } from '#sandbox/port/launch'
import { guard, unguard } from './process-guardian.ts'
import { spawnLaunch } from './spawn-launch.ts'
import { throttle } from './throttle.ts'
import { Undelivered } from './undelivered.ts'

/** Time after closing the input until SIGTERM, and from there until SIGKILL. */
const graceMs = 1_000

export type ServerProcess = Awaited<ReturnType<typeof startProcess>>

/** @throws {Error} if the command cannot be started; the message says why */
export async function startProcess(launch: Launch) {
  const { command, cwd } = launch
  const child = spawnLaunch(launch)
  await spawned(child, command, cwd)
  const pid = child.pid as number
  guard(pid)
  child.stdin?.on('error', () => {})
  const writeInput = child.stdin && writeTogether(child.stdin)
  const exited = new Promise<string>((resolve) =>
    child.once('exit', (code, signal) =>
      resolve(
        signal === null
          ? `the process exited with code ${code}`
          : `the process was killed by ${signal}`,
      ),
    ),
  )
  // Read its last output before it counts as ended, unless children keep the output open.
  const closed = once(child, 'close')
  const ended = exited.then(async (reason) => {
    await Promise.race([closed, sleep(200, undefined, { ref: false })])
    endGroup(pid, 'SIGKILL')
    unguard(pid)
    return reason
  })
  return {
    pid,
    /** How it ended, such as `the process exited with code 1`. */
    ended,
    onData: (listener: (chunk: Buffer) => void) => void child.stdout?.on('data', listener),
    onStderr(listener: (text: string) => void) {
      if (child.stderr) throttle(child.stderr, listener, exited)
    },
    /** Called when the output is closed, even if the process still runs. */
    onOutputEnd: (listener: () => void) => void child.stdout?.once('end', listener),
    /**
     * Resolves when the text has been written. Texts that queue up are written together.
     * @throws {Undelivered} if certainly nothing of it was read
     */
    write(text: string): Promise<void> {
      const { stdin } = child
      if (!stdin?.writable || !writeInput)
        return Promise.reject(new Undelivered('its input is closed'))
      return new Promise((resolve, reject) => {
        writeInput(text, (error, isAlone) => {
          if (!error) resolve()
          // Written alone: a process that is gone has not read any of it.
          else reject(isAlone ? new Undelivered('its input is closed') : error)
        })
      })
    },
    /** Ends the process and its children. */
    async stop() {
      child.stdin?.end()
      if (!(await isWithin(exited))) {
        endGroup(pid, 'SIGTERM')
        if (!(await isWithin(exited))) endGroup(pid, 'SIGKILL')
      }
      await ended
    },
  }
}

async function spawned(child: ChildProcess, command: string, cwd?: string): Promise<void> {
  try {
    await once(child, 'spawn')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const where = cwd === undefined ? '' : ` in ${cwd}`
    if (code === 'ENOENT' && cwd !== undefined && !existsSync(cwd))
      throw new Error(`the folder ${cwd} (cwd) does not exist`, { cause: error })
    throw new Error(
      code === 'ENOENT'
        ? `the command ${command} was not found${where}`
        : `the command ${command} could not be started${where} (${code ?? String(error)})`,
      { cause: error },
    )
  }
}

const isWithin = (ended: Promise<string>): Promise<boolean> =>
  Promise.race([ended.then(() => true), sleep(graceMs, false, { ref: false })])

function endGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // It has ended already.
  }
}
