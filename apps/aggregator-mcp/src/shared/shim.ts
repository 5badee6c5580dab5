import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { attempt } from '@pith-mcp/base/attempt'
import { readLines } from '@pith-mcp/base/read-lines'
import { writeTogether } from '@pith-mcp/base/write-together'
import { sharedAddress } from './address.ts'
import { type Build, buildOf, isNewer } from './build.ts'
import { Conversation, type Link } from './conversation.ts'
import { type Hello, marks, servingWord } from './lines.ts'

/** Milliseconds between looks for a process that starts. */
const lookMs = 15
/** Looks at a lock that another one holds, or has left. */
const maxLooks = 600
/** Milliseconds that a process has for its first line, and a connection to end. */
const maxWaitMs = 5_000
/** Times that a process which ended is looked for, or started. */
const maxTries = 30
/** Starts that fail one after the other. */
const maxStarts = 3

/**
 * Relays stdin and stdout to the shared process of this user, which is started if need be, and again
 * if it ends: then this process ends with its client. `entry` is the `import.meta.url` of `main.js`.
 *
 * @throws {Error} if it cannot be started; nothing was read from stdin
 */
export async function runShim(entry: string): Promise<void> {
  const hello = helloOf(process.argv.slice(2))
  const write = writeTogether(process.stdout)
  const conversation = new Conversation((line) => write(`${line}\n`))
  let current = await open(0)
  /** Lines of the client while there is no process. */
  let held: string[] | undefined

  async function open(number: number): Promise<Link & { socket: Socket }> {
    const socket = await join(entry, hello)
    const send = writeTogether(socket)
    const link = { number, socket, send: (line: string) => void send(`${line}\n`) }
    follow(link)
    return link
  }

  function follow(link: Link & { socket: Socket }): void {
    let isLeft = false
    const leave = (): void => {
      if (!isLeft) return
      if (!conversation.isWaitedFor(link)) link.socket.end()
    }
    const onLine = (line: string): void => {
      if (line.startsWith('{')) {
        conversation.fromServer(line, link)
        leave()
      } else if (line.startsWith(marks.log)) process.stderr.write(`${line.slice(1)}\n`)
      else if (line.startsWith(marks.exit)) process.exit(Number(line.slice(1)))
      else if (line === marks.leave) {
        isLeft = true
        void replace(link).then(leave)
      }
    }
    link.socket.on('data', readLines({ onLine, onTooLong: () => link.socket.destroy() }))
    link.socket.once('close', () => {
      conversation.lose(link)
      if (isEnded) process.exit(0)
      if (link === current) void replace(link)
    })
  }

  async function replace(link: Link): Promise<void> {
    if (held !== undefined || link !== current) return
    held = []
    for (let tries = 1; ; tries++)
      try {
        current = await open(link.number + 1)
        break
      } catch (error) {
        process.stderr.write(`aggregator-mcp: ${(error as Error).message}\n`)
        if (tries === maxTries) process.exit(1)
        // The program may be about to be installed again.
        await sleep(1_000)
      }
    conversation.introduce(current)
    const lines = held
    held = undefined
    for (const line of lines) conversation.fromClient(line, current)
  }

  let isEnded = false
  const end = (): void => {
    if (isEnded || current.socket.destroyed) process.exit(0)
    isEnded = true
    current.socket.end()
    setTimeout(() => process.exit(0), maxWaitMs)
  }
  const onLine = (line: string): void => {
    if (held) held.push(line)
    else conversation.fromClient(line, current)
  }
  const { stdin, stdout } = process
  stdin
    .on('data', readLines({ onLine, onTooLong: end }))
    .once('end', end)
    .on('error', end)
  stdout.on('error', () => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
}

/**
 * Has the shared process serve the console of an aggregator with these arguments.
 * @throws {Error} if it cannot be started
 */
export async function askForConsole(entry: string, argv: readonly string[]): Promise<void> {
  const socket = await join(entry, { ...helloOf(argv), wants: 'console' })
  const onLine = (line: string): void => {
    if (line.startsWith(marks.log)) process.stderr.write(`${line.slice(1)}\n`)
  }
  socket.on('data', readLines({ onLine, onTooLong: () => socket.destroy() }))
  await once(socket, 'close')
}

const helloOf = (argv: readonly string[]): Hello => ({
  argv,
  cwd: process.cwd(),
  env: { ...process.env } as Record<string, string>,
})

/** Connects to the shared process, which is started if none listens, or an older one. */
async function join(entry: string, hello: Hello): Promise<Socket> {
  const address = sharedAddress(process.env)
  const path = `${address}.starting`
  for (let starts = 0, looks = 0; ; ) {
    const socket = await connectTo(address)
    const running = socket && (await buildAt(socket))
    const isUsed = running && (starts > maxStarts || !isNewer(ownBuild(entry), running))
    if (socket && isUsed) {
      socket.write(`${JSON.stringify(hello)}\n`)
      return socket
    }
    socket?.destroy()
    const isFree = lock(path)
    // Two that start do no harm: the later one takes over.
    if (!isFree && ++looks < maxLooks) {
      await sleep(lookMs)
      continue
    }
    const free = (): void => rmSync(path, { recursive: true, force: true })
    // Our own program may have been removed: an older one is better than none.
    if (starts++ === maxStarts) {
      free()
      if (running) continue
      throw new Error(`The shared process does not start${lastLineOf(`${address}.log`)}`)
    }
    await start(fileURLToPath(entry), address, running).finally(free)
  }
}

/** Of the program as it was when this process began. */
let build: Build | undefined
function ownBuild(entry: string): Build {
  build ??= buildOf(new URL(entry))
  return build
}

const lastLineOf = (path: string): string => {
  const line = attempt(() => readFileSync(path, 'utf8').trim().split('\n').at(-1), undefined)
  return line ? ` (${line})` : ''
}

/** Takes a lock that names this process; false if another one that runs has it. */
function lock(path: string): boolean {
  // Linked, so that it never lacks the process.
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, String(process.pid), { mode: 0o600 })
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return true
    const holder = Number(attempt(() => readFileSync(path, 'utf8'), ''))
    const isRunning = holder > 0 && attempt(() => process.kill(holder, 0), false)
    if (!isRunning) rmSync(path, { recursive: true, force: true })
    return false
  } finally {
    rmSync(draft, { force: true })
  }
}

async function connectTo(address: string): Promise<Socket | undefined> {
  const socket = connect(address)
  socket.on('error', () => {})
  const isOpen = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'close').then(() => false),
  ]).catch(() => false)
  return isOpen ? socket : undefined
}

/** The first line of a shared process says which build it is; undefined if another one listens. */
function buildAt(socket: Socket): Promise<Build | undefined> {
  return new Promise((resolve, reject) => {
    let text = ''
    const late = setTimeout(() => {
      socket.destroy()
      reject(new Error(`The shared process sent nothing for ${maxWaitMs / 1_000} s`))
    }, maxWaitMs)
    const end = (): void => {
      clearTimeout(late)
      socket.off('close', end).off('data', onData)
      // Nothing follows it until we have said who we are.
      resolve(attempt(() => asBuild(JSON.parse(text)), undefined))
    }
    const onData = (chunk: Buffer): void => {
      text += chunk
      if (text.includes('\n') || text.length > maxBuildLength) end()
    }
    socket.once('close', end).on('data', onData)
  })
}

const maxBuildLength = 1_000

const asBuild = ({ version, writtenMs }: Build): Build | undefined =>
  typeof version === 'string' && typeof writtenMs === 'number' ? { version, writtenMs } : undefined

/** Starts a shared process, and waits until it listens or has ended. */
async function start(main: string, address: string, older: Build | undefined): Promise<void> {
  const log = process.platform === 'win32' ? undefined : openSync(`${address}.log`, 'w', 0o600)
  const child: ChildProcess = spawn(
    process.execPath,
    [...process.execArgv, main, servingWord, address],
    {
      cwd: process.platform === 'win32' ? undefined : dirname(address),
      detached: true,
      stdio: ['ignore', log ?? 'ignore', log ?? 'ignore'],
      windowsHide: true,
    },
  )
  child.on('error', () => {})
  child.unref()
  if (log !== undefined) closeSync(log)
  let hasEnded = false
  child.once('exit', () => {
    hasEnded = true
  })
  while (!hasEnded) {
    await sleep(lookMs)
    const socket = await connectTo(address)
    const build = socket && (await buildAt(socket))
    socket?.destroy()
    if (build && (older === undefined || isNewer(build, older))) return
  }
}
