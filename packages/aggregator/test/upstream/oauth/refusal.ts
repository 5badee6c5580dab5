/** An error as OAuth says it. */
interface Rejection extends Error {
  code: string
  status: number
}

export const refusal = (code: string, message: string, status = 400): Rejection =>
  Object.assign(new Error(message), { code, status })

export const isRefusal = (error: unknown): error is Rejection =>
  error instanceof Error && 'code' in error && 'status' in error

export const sayRefusal = ({ code, message, status }: Rejection): Response =>
  Response.json(
    { error: code, error_description: message },
    { status, headers: { 'cache-control': 'no-store' } },
  )
