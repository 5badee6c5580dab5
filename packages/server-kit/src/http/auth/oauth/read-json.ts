const maxBytes = 1024 * 1024
const timeoutMs = 5_000

/** Fetches JSON of an authorization server, within 5 s and 1 MB, without redirects. */
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
    throw new Error(`${url} answered with status ${response.status}`)
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Error(`${url} answered with more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  if (typeof value !== 'object' || value === null)
    throw new Error(`${url} answered without a JSON object`)
  return value as Record<string, unknown>
}
