import createClient, { type Client } from 'openapi-fetch'
import { basePath } from '../text/base-path.ts'
import type { Proof } from './create-proof.ts'
import type { components, paths } from './schema.d.ts'

export type Schemas = components['schemas']
export type Api = Client<paths>

/** What the server said instead of an answer, or that it said nothing. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly status: number
  readonly remedy: string | undefined

  constructor(title: string, status: number, remedy?: string) {
    super(title)
    this.status = status
    this.remedy = remedy
  }
}

/** The aggregator has understood, and refuses; asked again it refuses again. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ProblemError && error.status >= 400 && error.status < 500
}

const proofHeader = 'x-pith-proof'

/** The proof goes with every request, and is forgotten when it is good for nothing any more. */
export function createApi(proof: Proof): Api {
  const api = createClient<paths>({
    baseUrl: basePath,
    // Every write has it, also those without a body: other pages cannot send it.
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

interface Reply<T> {
  data?: T
  error?: unknown
  response: Response
}

/** What the door says to those whom it does not let in. */
interface Refusal {
  error?: { message?: string }
}

/** The answer of a request. Throws a `ProblemError` that says what is the matter. */
export async function answerOf<T>(request: Promise<Reply<T>>): Promise<T> {
  const reply = await request.catch((cause: unknown) => {
    throw new ProblemError(
      'The aggregator does not answer.',
      0,
      cause instanceof Error && cause.name === 'SyntaxError'
        ? 'It answered with something else than JSON. Is a proxy in between?'
        : 'Is it still running? It is asked again by itself.',
    )
  })
  if (reply.response.ok) return reply.data as T
  const { status } = reply.response
  const said = reply.error as (Partial<Schemas['Problem']> & Refusal) | undefined
  const title = said?.title ?? said?.error?.message ?? `The aggregator answered ${status}.`
  throw new ProblemError(title, status, said?.remedy)
}
