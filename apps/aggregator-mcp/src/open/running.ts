import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Aggregator, isRunning } from '@pith-mcp/aggregator'
import { attempt } from '@pith-mcp/base/attempt'
import { replaceFile } from '@pith-mcp/base/replace-file'
import type { Settings } from '../config.ts'
import type { OpenedAggregator } from './open-aggregator.ts'
import { serverFactsOf } from './server-state.ts'

/** The state of a running aggregator, as `status` shows it. */
export type RunningProcess = ReturnType<typeof describe>

/** Milliseconds between updates. */
const everyMs = 2_000
const keyFileOf = (state: string, name: string): string => join(folderOf(state), `${name}.console`)
/** Files of the aggregators of this process. */
const used = new Set<string>()

/** A process can serve several aggregators. */
function nameIn(state: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? `${process.pid}` : `${process.pid}-${number}`
    const key = keyFileOf(state, name)
    if (used.has(key)) continue
    used.add(key)
    return name
  }
}

const folderOf = (state: string): string => join(state, 'running')

/**
 * Keep a file with the state of this process up to date, for `status`. Readers remove the files of
 * processes that were killed.
 */
export function publishProcess(opened: Opened, options: Settings, idle: () => readonly string[]) {
  const { state } = options
  let isConsole = false
  const hasConsole = (): boolean => isConsole
  if (state === false) return { addConsole: () => {}, hasConsole, remove() {} }
  const name = nameIn(state)
  const path = join(folderOf(state), `${name}.json`)
  const startedAt = new Date().toISOString()
  let last = ''
  const write = (): void => {
    const text = JSON.stringify(describe(name, opened, options, idle(), startedAt))
    if (text !== last && put(path, text)) last = text
  }
  const timer = setInterval(write, everyMs)
  timer.unref()
  const first = setTimeout(write, everyMs / 4)
  first.unref()
  return {
    /** Publish the console; only the user can read the key. */
    addConsole(url: string, key: string): void {
      const cert = options.tlsCert && resolve(options.tlsCert)
      // Without it, the console can be opened with the logged link.
      isConsole = true
      put(keyFileOf(state, name), JSON.stringify({ url, key, cert }))
      write()
    },
    hasConsole,
    remove(): void {
      clearInterval(timer)
      clearTimeout(first)
      rmSync(path, { force: true })
      rmSync(keyFileOf(state, name), { force: true })
      used.delete(keyFileOf(state, name))
    },
  }
}

/** Bytes that a file has beyond its text, for the next ones. */
const reserve = 4_096

/** False if it cannot be written: serving does not depend on it. */
function put(path: string, text: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    replaceFile(path, text + ' '.repeat(reserve), { isDurable: false })
    return true
  } catch {
    return overwrite(path, text)
  }
}

/** On a full disk, the number of lost lines still fits into the file that is there. */
function overwrite(path: string, text: string): boolean {
  try {
    const { size } = statSync(path)
    const bytes = Buffer.from(text)
    if (bytes.length > size) return false
    writeFileSync(path, Buffer.concat([bytes, Buffer.alloc(size - bytes.length, ' ')]), {
      flag: 'r+',
    })
    return true
  } catch {
    return false
  }
}

type Opened = Pick<OpenedAggregator, 'aggregator' | 'state'> &
  Record<'journal', Pick<OpenedAggregator['journal'], 'loss'>>

/** What a list of problems says of this process; `idle` are sentences about settings. */
export type CurrentFacts = ReturnType<typeof factsOf>

export const factsOf = (
  { aggregator: { gateway }, journal, state }: Opened,
  idle: readonly string[],
) => ({
  servers: gateway.fleet.status().map((status) => serverFactsOf(status, gateway)),
  /** Journal lines that it could not write. */
  journalLoss: journal.loss?.(),
  /** Kind and name of shared documents that do not count. */
  documents: state.engines.shared?.documents.refused() ?? [],
  idle,
})

const describe = (
  name: string,
  opened: Opened,
  { config, mode, http, profile }: Settings,
  idle: readonly string[],
  startedAt: string,
) => ({
  /** Of its files. */
  name,
  pid: process.pid,
  startedAt,
  config: config.map((path) => resolve(path)),
  mode,
  http,
  profile,
  clients: opened.aggregator.gateway.clients.sessions.size,
  sessions: [...opened.aggregator.gateway.clients.sessions].map(sessionFacts),
  ...factsOf(opened, idle),
})

type Session =
  Aggregator['gateway']['clients']['sessions'] extends ReadonlySet<infer Each> ? Each : never

const sessionFacts = ({ clientName, access, since }: Session) => ({
  client: clientName?.(),
  folder: access?.folder,
  since,
})

/** The running aggregators. Removes the files of processes that no longer run. */
export function runningProcesses(state: string): RunningProcess[] {
  let names: string[]
  try {
    names = readdirSync(folderOf(state)).filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
  return names.flatMap((name) => {
    const path = join(folderOf(state), name)
    try {
      const record = JSON.parse(readFileSync(path, 'utf8')) as RunningProcess
      if (isRunning(record.pid)) return [record]
      rmSync(path, { force: true })
      rmSync(keyFileOf(state, record.name), { force: true })
    } catch {
      // The process has removed it.
    }
    return []
  })
}

/** How the console of a process is reached, and the file of its certificate if it serves TLS. */
export interface PublishedConsole {
  url: string
  key: string
  cert?: string
}

/** The console of a running process; undefined if it has none. */
export const consoleOf = (state: string, name: string): PublishedConsole | undefined =>
  attempt(
    () => JSON.parse(readFileSync(keyFileOf(state, name), 'utf8')) as PublishedConsole,
    undefined,
  )
