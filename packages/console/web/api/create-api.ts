import createClient, { type Client } from 'openapi-fetch'
import { basePath } from '../text/base-path.ts'
import type { Proof } from './create-proof.ts'
import type { paths } from './schema.d.ts'

export type Api = Client<paths>

const proofHeader = 'x-pith-proof'

/** Sends the proof with every request, and deletes it when the server rejects it. */
export function createApi(proof: Proof): Api {
  const api = createClient<paths>({
    baseUrl: basePath,
    // Required for all writes, also without a body: pages of other origins cannot send it.
    headers: { 'content-type': 'application/json' },
    credentials: 'same-origin',
  })
  api.use({
    onRequest({ request }) {
      const held = proof.read()
      if (held !== undefined) request.headers.set(proofHeader, held)
    },
    onResponse({ request, response, schemaPath }) {
      const isSignIn = request.method === 'POST' && schemaPath === '/api/v1/session'
      if (response.status === 401 && !isSignIn)
        proof.forget(request.headers.get(proofHeader) ?? undefined)
    },
  })
  return api
}
