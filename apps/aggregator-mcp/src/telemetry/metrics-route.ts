import type { Route } from '@pith-mcp/server-kit'
import type { Telemetry } from '@pith-mcp/telemetry'

/** Serves `/metrics` in the Prometheus format. Requires the scope `console:read`. */
export const metricsRoute = (telemetry: Pick<Telemetry, 'metrics'>): Route => ({
  name: 'metrics',
  scope: 'console:read',
  methods: ['GET', 'HEAD'],
  replies: 'data',
  matches: (path) => path === '/metrics',
  async handle(_request, response) {
    const { contentType, text } = await telemetry.metrics()
    response.setHeader('content-type', contentType)
    response.end(text)
  },
})
