/** Error codes of RFC 6750. */
export type BearerError = 'invalid_token' | 'insufficient_scope'

interface RejectedDetails {
  /** The principal, if known; for the log. */
  principal?: string | undefined
  error?: BearerError | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/** A rejected request. Routes may throw it; the endpoint answers and logs it. */
export class RejectedError extends Error {
  override readonly name = 'RejectedError'
  /** One word, for the log. */
  readonly reason: string
  readonly status: number
  readonly principal: string | undefined
  readonly error: BearerError | undefined
  readonly headers: Readonly<Record<string, string>>

  /** `text` is the reply to the client. */
  constructor(reason: string, status: number, text: string, details: RejectedDetails = {}) {
    super(text)
    this.reason = reason
    this.status = status
    this.principal = details.principal
    this.error = details.error
    this.headers = details.headers ?? {}
  }
}

/** For a credential that was sent and is not accepted. */
export const invalidToken = (reason: string, principal?: string): RejectedError =>
  new RejectedError(reason, 401, 'The bearer token is not valid.', {
    principal,
    error: 'invalid_token',
  })

/** A rejected request, for the log. Contains no secrets. */
export interface Rejection {
  /** One word. */
  reason: string
  status: number
  method: string
  /** Without the query; printable ASCII, at most 200 characters. */
  path: string
  /** Address of the peer. */
  address: string
  /** If known. */
  principal?: string | undefined
  /** Number of requests it stands for, with the same reason and address. */
  count: number
}

export type RejectionLog = ReturnType<typeof createRejectionLog>

const ofAKind = 5
const kindsOfAMinute = 30
const linesOfAMinute = 60
const windowMs = 60_000

/**
 * Reports the first rejections of a kind within a minute one by one and the rest as a number at the
 * end of the minute: a flood must not fill the disk or displace earlier lines. With too many kinds,
 * addresses are combined.
 */
export function createRejectionLog(report: (rejection: Rejection) => void) {
  const kinds = new Map<
    string,
    { unreported: number; reported: number; last: Omit<Rejection, 'count'> }
  >()
  let lines = 0
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    lines = 0
    const all = [...kinds.values()]
    kinds.clear()
    for (const { unreported, last } of all)
      if (unreported > 0) report({ ...last, count: unreported })
  }

  return {
    record(rejection: Omit<Rejection, 'count'>): void {
      timer ??= setTimeout(flush, windowMs).unref()
      const addressKey = `${rejection.reason} ${rejection.address}`
      const isRoom = kinds.has(addressKey) || kinds.size < kindsOfAMinute
      const key = isRoom ? addressKey : rejection.reason
      const kind = kinds.get(key) ?? { unreported: 0, reported: 0, last: rejection }
      kinds.set(key, kind)
      kind.last = isRoom ? rejection : { ...rejection, address: 'several', principal: undefined }
      if (kind.reported < ofAKind && lines < linesOfAMinute) {
        kind.reported++
        lines++
        report({ ...rejection, count: 1 })
      } else kind.unreported++
    },
    /** Reports requests that were only counted so far. */
    flush,
  }
}

/** Sanitizes text of clients for the log. */
export const safely = (text: string | undefined, most: number = 200): string =>
  (text ?? '').slice(0, most).replace(/[^\x20-\x7e]/g, '?')
