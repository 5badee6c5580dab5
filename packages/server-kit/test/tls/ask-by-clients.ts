import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const script = fileURLToPath(new URL('real-clients.mjs', import.meta.url))

/** What real clients say that trust the certificate in the file `cert`. */
export async function askByClients(url: string, token: string, cert: string): Promise<string[]> {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: cert }
  const { stdout } = await promisify(execFile)(process.execPath, [script, url, token], { env })
  return stdout.trim().split('\n')
}

/** What they say of a server that serves them. */
export const allServed = ['2025-11-25 lists tools', '2026-07-28 lists tools', 'SDK 1 lists tools']
