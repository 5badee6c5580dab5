import type { Route } from '@pith-mcp/door'
import type { Telemetry } from '@pith-mcp/telemetry'

/** `/metrics`, for Prometheus; its token needs the scope `console:read`. */
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
