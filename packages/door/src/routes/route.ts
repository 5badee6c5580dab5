import type { IncomingMessage, ServerResponse } from 'node:http'
import type { OriginRule } from '../address/check-names.ts'
import type { Scope, Visitor } from '../visitors/visitor.ts'

export type RouteScope = Scope | 'public'

/** Something served at one address, or at several. The first that matches is taken. */
export interface Route {
  /** One word. */
  name: string
  /** The path, without the query, as it came: never with dot segments, `//`, `\` or encoded slashes. */
  matches(path: string): boolean
  /** What its visitors need; `public` asks nobody who they are. It may go by the method. */
  scope: RouteScope | ((method: string) => RouteScope)
  /** All others are answered with 405. Default any. */
  methods?: readonly string[]
  /**
   * `page`: with a policy for what its content may load. `data`: not kept by anyone, and refused in
   * JSON. `own`: it says itself.
   */
  replies: 'page' | 'data' | 'own'
  /** Default `names` for `mcp`, else `same`. */
  origin?: OriginRule
  /** Its reply lasts until it is told to end: nobody waits for it at the end. */
  isEndless?(request: IncomingMessage): boolean
  /** Answer. What it throws is answered by the door: a `RefusedError` as it says, else 500. */
  handle(request: IncomingMessage, response: ServerResponse, visitor: Visitor): void | Promise<void>
}
