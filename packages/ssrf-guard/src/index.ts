export { type AddressKind, addressKind } from './address-kind.ts'
export { bareHost, hostKind, isLocalName } from './host-kind.ts'
export { pinnedLookup } from './pinned-lookup.ts'
export { AddressRefused, type Resolve, resolveAllowed, resolveBySystem } from './resolve-allowed.ts'
