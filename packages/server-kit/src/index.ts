export {
  type Authenticator,
  type AuthenticatorOptions,
  createAuthenticator,
} from './http/auth/authenticator.ts'
export { metadataRoute } from './http/auth/oauth/metadata.ts'
export {
  createResourceServer,
  type OAuthSettings,
  type ResourceServer,
  type ResourceServerOptions,
} from './http/auth/oauth/resource-server.ts'
export type { Callers } from './http/auth/principals/configured-tokens.ts'
export {
  allScopes,
  type Principal,
  type Scope,
  scopesOf,
} from './http/auth/principals/principal.ts'
export type { NewToken } from './http/auth/tokens/edit-tokens.ts'
export {
  createFileTokens,
  type FileTokens,
  type FileTokensOptions,
} from './http/auth/tokens/file-tokens.ts'
export type { StoredToken } from './http/auth/tokens/token-file.ts'
export {
  type HttpEndpoint,
  type HttpEndpointOptions,
  openHttpEndpoint,
} from './http/open-http-endpoint.ts'
export { type Bounds, defaultBounds } from './http/protocol/bounds.ts'
export {
  HttpEndpointError,
  type HttpEndpointErrorCode,
} from './http/protocol/http-endpoint-error.ts'
export { RejectedError } from './http/rejections/rejected-error.ts'
export type { Rejection } from './http/rejections/rejection-log.ts'
export { readBody } from './http/requests/read-body.ts'
export type { Route, RouteScope } from './http/routes/route.ts'
export {
  type McpHttpOptions,
  type McpHttpServing,
  serveMcpHttp,
} from './http/serve-mcp-http.ts'
