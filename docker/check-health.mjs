// Ends with 0 if what serves HTTP at the port is well, or nothing does: over stdio, the process is
// all there is to see.
const port = process.env.PITH_PORT ?? 8080
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`, {
    signal: AbortSignal.timeout(4_000),
  })
  process.exitCode = ok ? 0 : 1
} catch (error) {
  process.exitCode = error.cause?.code === 'ECONNREFUSED' ? 0 : 1
}
