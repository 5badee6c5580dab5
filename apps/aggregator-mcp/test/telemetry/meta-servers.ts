import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('meta-server.mjs', import.meta.url))

export const metaOverStdio = (env: Record<string, string> = {}) => ({
  command: process.execPath,
  args: [script],
  env,
})

export async function startMetaOverHttp() {
  const child = spawn(process.execPath, [script, '--http'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [port] = await once(child.stdout, 'data')
  return {
    entry: { url: `http://127.0.0.1:${String(port).trim()}/` },
    stop: () => void child.kill(),
  }
}
