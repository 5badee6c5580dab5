import { attempt } from '@pith-mcp/base/attempt'
import createClient, { type Client } from 'openapi-fetch'
import { basePath } from '../text/paths.ts'
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
      const secret = proof.read()
      if (secret !== undefined) request.headers.set(proofHeader, secret)
    },
    onResponse({ request, response, schemaPath }) {
      const isSignIn = request.method === 'POST' && schemaPath === '/api/v1/session'
      if (response.status === 401 && !isSignIn)
        proof.forget(request.headers.get(proofHeader) ?? undefined)
    },
  })
  return api
}

/**
 * The secret that a session sends in addition to its cookie, since browsers send cookies to servers on
 * other ports too. It is stored for this origin and shared by all its tabs.
 */
type Proof = ReturnType<typeof createProof>

const proofKey = 'pith.proof'

/** Without local storage the proof lasts as long as this page. */
export function createProof() {
  const listeners = new Set<() => void>()
  let inMemory: string | undefined

  function read(): string | undefined {
    return attempt(() => localStorage.getItem(proofKey) ?? undefined, inMemory)
  }

  function write(proof: string | undefined): void {
    inMemory = proof
    try {
      if (proof === undefined) localStorage.removeItem(proofKey)
      else localStorage.setItem(proofKey, proof)
    } catch {
      // It stays in memory.
    }
    for (const listener of listeners) listener()
  }

  return {
    read,
    store: write,
    /** Deletes the proof if it is still the one that was `used`. */
    forget(used: string | undefined) {
      if (used !== undefined && used === read()) write(undefined)
    },
    /** Calls `listener` when any tab stores or deletes it, until the returned function is called. */
    watch(listener: () => void) {
      const receive = (event: StorageEvent) => {
        if (event.key === proofKey || event.key === null) listener()
      }
      listeners.add(listener)
      addEventListener('storage', receive)
      return () => {
        listeners.delete(listener)
        removeEventListener('storage', receive)
      }
    },
  }
}
