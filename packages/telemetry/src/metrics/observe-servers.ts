import type { Meter } from '@opentelemetry/api'
import { createLabel } from './labels.ts'
import type { InstanceSnapshot, ServerSnapshot, Snapshot } from './snapshot.ts'

/** The best state first: a server has the best state of its instances. */
const states = ['ready', 'starting', 'down', 'stopped'] as const

/** Observes sessions and servers each time the metrics are read. */
export function observeServers(meter: Meter, read: () => Snapshot | undefined): void {
  const gauge = (name: string, description: string) =>
    meter.createObservableGauge(name, { description })
  const sessions = gauge('pith.sessions', 'Clients that are there.')
  const servers = gauge('pith.servers', 'Servers by the state of their readiest instance.')
  const up = gauge('pith.server.ready', '1 for a server that answers now.')
  const instances = gauge('pith.server.instances', 'Instances of a server, by state.')
  const starts = gauge('pith.server.starts', 'How often the instances there are were started.')
  const failures = gauge('pith.server.failures', 'Failures since it last answered.')
  const open = gauge('pith.server.circuit.open', '1 for a server left alone after failures.')
  const waiting = gauge('pith.server.waiting', 'Calls that wait for their turn at a server.')
  const names = createLabel(200)
  meter.addBatchObservableCallback(
    (result) => {
      const now = read()
      if (now === undefined) return
      result.observe(sessions, now.sessions)
      const all = now.servers.map((one) => ({ ...one, state: stateOf(one) }))
      for (const state of states)
        result.observe(servers, all.filter((one) => one.state === state).length, { state })
      for (const one of all) {
        const server = names(one.name)
        if (server === 'other') continue
        result.observe(up, Number(one.state === 'ready'), { server })
        for (const state of states)
          result.observe(instances, countOf(one, state), { server, state })
        result.observe(
          starts,
          sum(one, (it) => it.starts),
          { server },
        )
        result.observe(
          failures,
          most(one, (it) => it.failures),
          { server },
        )
        result.observe(open, Number(most(one, (it) => it.retryInMs) > 0), { server })
        result.observe(waiting, one.waiting, { server })
      }
    },
    [sessions, servers, up, instances, starts, failures, open, waiting],
  )
}

const stateOf = ({ instances }: ServerSnapshot): (typeof states)[number] =>
  states.find((state) => instances.some((it) => it.state === state)) ?? 'stopped'

const countOf = ({ instances }: ServerSnapshot, state: string): number =>
  instances.filter((it) => it.state === state).length

const sum = ({ instances }: ServerSnapshot, of: (it: InstanceSnapshot) => number): number =>
  instances.reduce((total, it) => total + of(it), 0)

const most = ({ instances }: ServerSnapshot, of: (it: InstanceSnapshot) => number): number =>
  Math.max(0, ...instances.map(of))
