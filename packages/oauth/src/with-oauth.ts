import type { Connect } from '#servers/connection/connection'
import type { Message } from '#servers/protocol/message'
import type { SignIns } from './sign-ins.ts'

/** Adds tokens to connections; an error of the authorization gets a remedy. */
export const withOAuth = (connect: Connect, signIns: SignIns | undefined): Connect => {
  if (signIns === undefined) return connect
  return async (options) => {
    const { server } = options
    const tokens = signIns.tokensFor(server)
    if (tokens === undefined) return connect(options)
    const explained = async (error: unknown): Promise<never> => {
      throw await signIns.explain(server, error)
    }
    const connection = await connect({ ...options, tokens }).catch(explained)
    const { era, isProbed = false, capabilities, serverInfo, instructions, closed } = connection
    return {
      era,
      isProbed,
      capabilities,
      serverInfo,
      instructions,
      closed,
      notify: (message) => connection.notify(message),
      close: () => connection.close(),
      request: (message, requestOptions) =>
        isOwn(message)
          ? connection.request(message, requestOptions)
          : connection.request(message, requestOptions).catch(explained),
      follow: (uris) => connection.follow(uris).catch(explained),
    }
  }
}

/** Our own probes: no client waits for them, so that they must not begin a sign-in. */
const isOwn = ({ method }: Message): boolean => method === 'ping' || method === 'server/discover'
