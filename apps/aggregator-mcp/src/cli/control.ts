import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { openSharedConsole } from '../open/open-shared-console.ts'
import { consoleOf, type RunningProcess, runningProcesses } from '../open/running.ts'
import type { Command } from './command.ts'
import { signInToConsole } from './request-console.ts'

export type Verb = 'start' | 'stop' | 'restart'

/** `start`, `stop` or `restart` of a server in the running aggregators that have it. */
export const controlCommand = (verb: Verb): Command => ({
  usage: `aggregator-mcp ${verb} SERVER[@ACCOUNT] [--state DIR]

${effects[verb]}
This is done in all running aggregators that have this server. Those that serve one client over stdio
in a process of its own cannot be reached: restart that client instead.`,
  isRecorded: true,
  options: {},
  async run({ settings, words, print, log }) {
    const { state } = settings
    const [unit, ...more] = words
    if (unit === undefined || more.length > 0) throw new UsageError(`${verb}: Name one server.`)
    const running = state === false ? [] : runningProcesses(state)
    const having = running.filter(({ servers }) => servers.some(({ name }) => name === unit))
    if (state === false || having.length === 0)
      throw new UsageError(
        `${verb}: No running aggregator has the server ${unit}. List them with: aggregator-mcp status`,
      )
    if (having.some(({ name }) => consoleOf(state, name) === undefined))
      await openSharedConsole(settings)
    const states = await Promise.all(having.map((target) => send(verb, unit, target, state)))
    await shownByStatus(unit, having, states, state)
    for (const [at, { pid }] of having.entries()) {
      const { ok, text } = states[at] ?? { ok: false, text: '' }
      if (ok) print(`${unit} in process ${pid}: ${text}.`)
      else log(`${unit} in process ${pid}: ${text}`)
    }
    return states.every(({ ok }) => ok) ? 0 : 1
  },
})

const effects: Readonly<Record<Verb, string>> = {
  start: 'Start a server, also one that was stopped.',
  stop: 'Stop a server until it is started again. Calls in progress finish; new ones fail.',
  restart: 'Restart a server. Calls in progress finish in the old process.',
}

/** Milliseconds between looks, and their number: processes tell their state every two seconds. */
const lookMs = 100
const maxLooks = 30

/** Waits until `status` says the same. */
async function shownByStatus(
  unit: string,
  processes: readonly RunningProcess[],
  states: readonly { ok: boolean; text: string }[],
  state: string,
): Promise<void> {
  const isShown = (): boolean => {
    const now = runningProcesses(state)
    return processes.every(({ name }, at) => {
      const entry = now.find((running) => running.name === name)
      const serverState = entry?.servers.find(({ name }) => name === unit)?.state
      return states[at]?.ok !== true || entry === undefined || serverState === states[at].text
    })
  }
  for (let looks = 0; looks < maxLooks && !isShown(); looks++) await sleep(lookMs)
}

/** Signs in to the console of the process, and runs the operation there. */
async function send(
  verb: Verb,
  unit: string,
  { name }: RunningProcess,
  state: string,
): Promise<{ ok: boolean; text: string }> {
  const endpoint = consoleOf(state, name)
  if (endpoint === undefined)
    return {
      ok: false,
      text: 'It serves one client over stdio and cannot be reached. Restart its client.',
    }
  try {
    const request = await signInToConsole(endpoint)
    const data = await request('POST', `/servers/${encodeURIComponent(unit)}/${verb}`)
    return { ok: true, text: data['state'] ?? '' }
  } catch (error) {
    return { ok: false, text: (error as Error).message }
  }
}
