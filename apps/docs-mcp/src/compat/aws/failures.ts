import { CallError } from '@pith-mcp/server-kit/tools'

/** Errors of the library, without loading it. */
interface Failure {
  code?: string
  status?: number
  message: string
  remedy?: string
}

const ofTheWeb = new Set(['not_found', 'unreachable', 'timeout', 'too_large', 'unsupported_type'])

/** Run a request; errors begin with the words of the original server. */
export async function orFailAs<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { code = '', status, message, remedy = '' } = error as Failure
    if (!ofTheWeb.has(code)) throw error
    throw new CallError(
      status === undefined ? `${what}: ${message}` : `${what} - status code ${status}`,
      remedy,
    )
  }
}
