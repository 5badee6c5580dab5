import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OriginRule } from '../address/check-names.ts'
import type { Principal, Scope } from '../auth/principals/principal.ts'

/** The scope that a route requires; `public` routes accept requests without a credential. */
export type RouteScope = Scope | 'public'

/** A handler for one or more paths. The first matching route is used. */
export interface Route {
  /** One word. */
  name: string
  /** `path` has no query and never contains dot segments, `//`, `\` or encoded slashes. */
  matches(path: string): boolean
  /** The required scope; `public` needs no principal. May depend on the method. */
  scope: RouteScope | ((method: string) => RouteScope)
  /** Others are answered with 405. */
  methods: readonly string[] | ((path: string) => readonly string[])
  /**
   * `page`: with a content security policy. `data`: not cached, and rejections are JSON. `own`: the
   * handler sets all headers.
   */
  replies: 'page' | 'data' | 'own'
  /** Default `names` for scope `mcp`, otherwise `same`. */
  origin?: OriginRule
  /** The reply lasts until it is ended: closing does not wait for it. */
  isStream?(request: IncomingMessage): boolean
  /** Answers a request. A `RejectedError` is answered as it says, any other error with 500. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    principal: Principal,
  ): void | Promise<void>
}
