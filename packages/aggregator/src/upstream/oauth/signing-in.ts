import type { Message } from '../../protocol/message.ts'
import type { Connect } from '../connection/connection.ts'
import type { SignIns } from './sign-ins.ts'

/** Conversations with the tokens there are; where they lack, the error says what to do. */
export const signingIn = (connect: Connect, signIns: SignIns | undefined): Connect => {
  if (signIns === undefined) return connect
  return async (options) => {
    const { server } = options
    const tokens = signIns.tokensFor(server)
    if (tokens === undefined) return connect(options)
    const explained = async (error: unknown): Promise<never> => {
      throw await signIns.explain(server, error)
    }
    const connection = await connect({ ...options, tokens }).catch(explained)
    return {
      ...connection,
      request: (message, given) =>
        isOwn(message)
          ? connection.request(message, given)
          : connection.request(message, given).catch(explained),
      follow: (uris) => connection.follow(uris).catch(explained),
    }
  }
}

/** Nobody waits for it, so that nobody would know why a browser opens. */
const isOwn = ({ method }: Message): boolean => method === 'ping' || method === 'server/discover'
