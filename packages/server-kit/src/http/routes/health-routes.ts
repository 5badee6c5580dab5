import type { Route } from './route.ts'

/**
 * `/healthz`: the process runs. `/readyz`: it accepts requests. Public, so nothing else is
 * reported.
 */
export function healthRoutes(isReady: () => boolean): readonly Route[] {
  const route = (name: string, isOk: () => boolean): Route => ({
    name,
    matches: (path) => path === `/${name}`,
    scope: 'public',
    methods: ['GET', 'HEAD'],
    replies: 'data',
    handle(_request, response) {
      const [status, text] = isOk() ? [200, 'ok'] : [503, 'not ready']
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(`{"status":"${text}"}\n`)
    },
  })
  return [route('healthz', () => true), route('readyz', isReady)]
}
