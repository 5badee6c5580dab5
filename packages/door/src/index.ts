export { type Admission, type AdmissionOptions, createAdmission } from './admission.ts'
export { type Bounds, defaultBounds } from './bounds.ts'
export { DoorError, type DoorErrorCode } from './door-error.ts'
export { metadataRoute } from './oauth/metadata.ts'
export {
  createResourceServer,
  type OAuthSettings,
  type ResourceServer,
  type ResourceServerOptions,
} from './oauth/resource-server.ts'
export { type Door, type DoorOptions, openDoor } from './open-door.ts'
export type { Refusal } from './refusals/refusal-notes.ts'
export { RefusedError } from './refusals/refused-error.ts'
export { readBody } from './requests/read-body.ts'
export type { Route, RouteScope } from './routes/route.ts'
export {
  createFileTokens,
  type FileTokens,
  type FileTokensOptions,
  type NewToken,
} from './tokens/file-tokens.ts'
export type { StoredToken } from './tokens/token-file.ts'
export type { Callers } from './visitors/configured-tokens.ts'
export { allScopes, type Scope, scopesOf, type Visitor } from './visitors/visitor.ts'
