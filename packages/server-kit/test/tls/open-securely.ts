import { onTestFinished } from 'vitest'
import type { HttpEndpointOptions } from '../../src/index.ts'
import { openTestEndpoint, route } from '../knock.ts'
import { askSecurely } from './ask-securely.ts'
import { plantCertificate } from './make-certificate.ts'

const lookMs = 10

/** A door with a certificate, its log, and a client that trusts it. */
export async function openSecurely(
  planted = plantCertificate(),
  options: Partial<HttpEndpointOptions> = {},
  routes = [route('/mcp'), route('/console', { scope: 'console' })],
) {
  const logs: string[] = []
  const endpoint = await openTestEndpoint(routes, {
    tls: { ...planted.files, lookMs },
    onLog: (text, level) => void logs.push(`${level ?? 'info'}: ${text}`),
    ...options,
  })
  onTestFinished(() => endpoint.close({ graceMs: 0 }))
  const ask = (path: string, more: Parameters<typeof askSecurely>[2] = {}, ca = planted.cert) =>
    askSecurely(endpoint.url + path, ca, more)
  return { ...endpoint, planted, logs, ask }
}
