import { type Access, hostKey } from './access.ts'
import type { ProxyOptions } from './ssrf-guard.ts'

/** Bounds of one request, and of requests to one host. */
export interface FetchLimits {
  /** For the whole request, including redirects, retries and body. */
  timeoutMs: number
  /** Of the body, after decompression. */
  maxBytes: number
  maxRedirects: number
  /** Further attempts after a transient failure. */
  retries: number
  /** Concurrent requests to one host. */
  perHost: number
  /** Requests to one host per second. */
  perSecond: number
}

/** Request headers for one host only, by `host` or `host:port`. */
export type HostHeaders = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface HttpOptions {
  access: Access
  limits: FetchLimits
  proxy?: ProxyOptions | undefined
  headers?: HostHeaders | undefined
  /** No request is sent; every call fails with `offline`. */
  offline?: boolean | undefined
  /** `User-Agent` of requests. */
  userAgent?: string | undefined
}

export interface RequestOptions {
  /** JSON; makes it a POST request. */
  body?: string | undefined
  /** Media types, in the syntax of the `Accept` header. */
  accept?: string
  /** `If-None-Match` and `If-Modified-Since`, sent to this URL only. */
  conditions?: { url: string; headers: Record<string, string> } | undefined
  /** Replaces the limit for pages. */
  maxBytes?: number
  /** Sent to the host of the URL only. */
  headers?: Readonly<Record<string, string>>
  /** Aborts the request, also while it is queued. */
  signal?: AbortSignal | undefined
}

export interface HttpResponse {
  /** After redirects. */
  url: string
  /** 200–299, or 304 if conditions were sent. */
  status: number
  headers: Record<string, string>
  /** Headers that were sent. */
  sent: Record<string, string>
  /** Without parameters, in lower case; empty if the server sends none. */
  type: string
  charset?: string
  bytes: Uint8Array
}

/** Headers that the operator configured for the host of a URL. */
export function headersFor(
  headers: HostHeaders,
  url: string,
): Readonly<Record<string, string>> | undefined {
  const place = new URL(url)
  return headers[place.host] ?? headers[hostKey(place)]
}
