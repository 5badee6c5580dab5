import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Meter } from '@opentelemetry/api'

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
