const mostBytes = 1024 * 1024
const timeoutMs = 5_000

/** JSON of an authorization server: in time, not too long, and not from elsewhere. */
export async function readJson(
  url: string,
  fetch: typeof globalThis.fetch,
): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`${url} answers ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > mostBytes) throw new Error(`${url} answers more than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  if (typeof value !== 'object' || value === null) throw new Error(`${url} answers no object`)
  return value as Record<string, unknown>
}
