import type { Schemas } from './schemas.ts'

/** An error reply of the server, or no reply at all (status 0). */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly status: number
  readonly remedy: string | undefined
  readonly code: string | undefined

  constructor(title: string, status: number, remedy?: string, code?: string) {
    super(title)
    this.status = status
    this.remedy = remedy
    this.code = code
  }
}

/** A client error (4xx): retrying the request would fail again. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ProblemError && error.status >= 400 && error.status < 500
}

/** What the client of the API resolves to. */
export interface Reply<T> {
  data?: T
  error?: unknown
  response: Response
}

/** The body of a request that the HTTP endpoint rejected. */
interface Rejection {
  error?: { message?: string }
}

/** The data of a reply. @throws {ProblemError} */
export async function answerOf<T>(request: Promise<Reply<T>>): Promise<T> {
  const reply = await request.catch((cause: unknown) => {
    if (cause instanceof ProblemError) throw cause
    throw new ProblemError(
      'The aggregator does not respond.',
      0,
      cause instanceof Error && cause.name === 'SyntaxError'
        ? 'The reply is not JSON. Check for a proxy in between.'
        : 'Check that it is running. The console retries automatically.',
    )
  })
  if (reply.response.ok) return reply.data as T
  const { status } = reply.response
  const problem = reply.error as (Partial<Schemas['Problem']> & Rejection) | undefined
  const title =
    problem?.title ??
    problem?.error?.message ??
    `The aggregator replied with HTTP status ${status}.`
  throw new ProblemError(title, status, problem?.remedy, problem?.code)
}
