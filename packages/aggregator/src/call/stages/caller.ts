import type { Session } from '#servers/protocol/request-context'

/** Stored results can be read by all sessions with the same caller and profile. */
export const ownerOf = ({ access }: Session): string =>
  access?.caller === undefined && access?.profile === undefined
    ? ''
    : JSON.stringify([access.caller, access.profile])
