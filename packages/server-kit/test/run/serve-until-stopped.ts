import { vi } from 'vitest'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs what serves until a signal ends its process. The returned function ends it as a signal does,
 * without a signal, and without ending this process.
 */
export async function serveUntilStopped(run: () => Promise<unknown>): Promise<() => Promise<void>> {
  const before = new Set(signals.flatMap((signal) => process.rawListeners(signal)))
  await run()
  const stops = signals.flatMap((signal) =>
    process.rawListeners(signal).flatMap((listener) => {
      if (before.has(listener)) return []
      process.off(signal, listener as () => void)
      return [listener]
    }),
  )
  let stopped: Promise<void> | undefined
  return () => {
    stopped ??= new Promise((resolve) => {
      if (stops[0] === undefined) return resolve()
      const exit = vi.spyOn(process, 'exit').mockImplementation((() => {
        exit.mockRestore()
        resolve()
      }) as never)
      stops[0]()
    })
    return stopped
  }
}
