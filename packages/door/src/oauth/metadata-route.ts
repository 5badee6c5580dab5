import type { Route } from '../routes/route.ts'
import type { Metadata } from './metadata.ts'

/** Tells clients where they can sign in, for whoever asks. */
export function metadataRoute(metadata: Metadata): Route {
  return {
    name: 'oauth-metadata',
    matches: (path) => metadata.metadataAt(path) !== undefined,
    scope: 'public',
    methods: ['GET', 'HEAD'],
    replies: 'data',
    // Clients that are pages ask from ports of their own.
    origin: 'names',
    handle({ url = '' }, response) {
      const described = metadata.metadataAt(url.split('?', 1)[0] ?? '')
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`${JSON.stringify(described)}\n`)
    },
  }
}
