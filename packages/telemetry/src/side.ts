/** `server`: a client request. `client`: a request to a server. */
export type Side = 'server' | 'client'
