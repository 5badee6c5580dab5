import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Meter } from '@opentelemetry/api'
import { createLabel } from './labels.ts'

/** The state at one moment. */
export interface Snapshot {
  /** Connected clients. */
  sessions: number
  servers: readonly ServerSnapshot[]
}

/** The state of one server and its instances. */
export interface ServerSnapshot {
  /** `SERVER` or `SERVER@ACCOUNT`. */
  name: string
  /** Calls that wait for a slot. */
  waiting: number
  instances: readonly InstanceSnapshot[]
}

/** The state of one running instance of a server. */
export interface InstanceSnapshot {
  state: 'stopped' | 'starting' | 'ready' | 'down'
  starts: number
  /** Since the last success. */
  failures: number
  /** Milliseconds until the next try. */
  retryInMs: number
}

/** The best state first: a server has the best state of its instances. */
const states = ['ready', 'starting', 'down', 'stopped'] as const

const stateOf = ({ instances }: ServerSnapshot): (typeof states)[number] =>
  states.find((state) => instances.some((it) => it.state === state)) ?? 'stopped'

/** 0 without instances. */
const most = ({ instances }: ServerSnapshot, key: 'failures' | 'retryInMs'): number =>
  Math.max(0, ...instances.map((it) => it[key]))

/** Gauges of each server: name, description and value. */
const serverGauges: readonly (readonly [string, string, (server: ServerSnapshot) => number])[] = [
  ['ready', '1 for a server that answers now.', (server) => Number(stateOf(server) === 'ready')],
  [
    'starts',
    'How often the instances there are were started.',
    ({ instances }) => instances.reduce((total, { starts }) => total + starts, 0),
  ],
  ['failures', 'Failures since it last answered.', (server) => most(server, 'failures')],
  [
    'circuit.open',
    '1 for a server left alone after failures.',
    (server) => Number(most(server, 'retryInMs') > 0),
  ],
  ['waiting', 'Calls that wait for their turn at a server.', (server) => server.waiting],
]

/** Observes sessions and servers each time the metrics are read. */
export function observeServers(meter: Meter, read: () => Snapshot | undefined): void {
  const gauge = (name: string, description: string) =>
    meter.createObservableGauge(name, { description })
  const sessions = gauge('pith.sessions', 'Clients that are there.')
  const servers = gauge('pith.servers', 'Servers by the state of their readiest instance.')
  const instances = gauge('pith.server.instances', 'Instances of a server, by state.')
  const each = serverGauges.map(
    ([name, description, of]) => [gauge(`pith.server.${name}`, description), of] as const,
  )
  const names = createLabel(200)
  meter.addBatchObservableCallback(
    (result) => {
      const now = read()
      if (now === undefined) return
      result.observe(sessions, now.sessions)
      for (const state of states)
        result.observe(servers, now.servers.filter((server) => stateOf(server) === state).length, {
          state,
        })
      for (const snapshot of now.servers) {
        const server = names(snapshot.name)
        if (server === 'other') continue
        for (const [observed, of] of each) result.observe(observed, of(snapshot), { server })
        for (const state of states)
          result.observe(instances, snapshot.instances.filter((it) => it.state === state).length, {
            server,
            state,
          })
      }
    },
    [sessions, servers, instances, ...each.map(([observed]) => observed)],
  )
}

const nanoseconds = 1e9
const microseconds = 1e6

/**
 * Observes this process under the usual names of Prometheus clients. Returns a function that stops
 * it.
 */
export function observeProcess(meter: Meter): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const gauge = (name: string, description: string, observed: () => number | undefined): void =>
    meter.createObservableGauge(name, { description }).addCallback((result) => {
      const value = observed()
      if (value !== undefined && Number.isFinite(value)) result.observe(value)
    })
  gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
  const startedAt = Date.now() / 1_000 - process.uptime()
  gauge('process_start_time_seconds', 'When it was started, since 1970.', () => startedAt)
  meter
    .createObservableCounter('process_cpu_seconds', { description: 'Time on processors.' })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage()
      result.observe((user + system) / microseconds)
    })
  gauge('nodejs_eventloop_lag_p99_seconds', 'Delay of the event loop since the last look.', () => {
    const p99 = delay.count === 0 ? undefined : delay.percentile(99) / nanoseconds
    delay.reset()
    return p99
  })
  return () => delay.disable()
}
