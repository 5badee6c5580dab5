import { onTestFinished, vi } from 'vitest'
import { mcpOverHttp } from './mcp-over-http.ts'
import { serveUntilStopped } from './serve-until-stopped.ts'

let runs = 0

/**
 * Runs the main module of a program with this command line, in this process, until the test ends.
 * `module` is its URL.
 */
export async function runMain(
  module: URL,
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
) {
  const lines: string[] = []
  const stderr = vi
    .spyOn(process.stderr, 'write')
    .mockImplementation((line) => Boolean(lines.push(String(line))))
  const before = process.argv
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  const text = (): string => lines.join('')
  const isServing = /serving (http\S+)\/mcp$/m
  const stop = await serveUntilStopped(async () => {
    process.argv = [process.execPath, 'main', ...argv]
    // Another query: the module runs anew, and what it imports does not.
    const url = `${module.pathname}?${runs++}`
    await import(/* @vite-ignore */ url)
    // Or an error, which ends it.
    await vi.waitUntil(() => isServing.test(text()) || process.exitCode !== undefined, {
      timeout: 20_000,
      interval: 2,
    })
  }).finally(() => {
    process.argv = before
  })
  onTestFinished(async () => {
    await stop()
    stderr.mockRestore()
    vi.unstubAllEnvs()
    process.exitCode = undefined
  })
  const origin = isServing.exec(text())?.[1] ?? ''
  return { ...mcpOverHttp(origin), origin, text, stop }
}
