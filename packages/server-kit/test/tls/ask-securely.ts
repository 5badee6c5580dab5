import { type RequestOptions, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { TLSSocket } from 'node:tls'

/** Asks over TLS, trusting `ca`. Also tells the serial number of the certificate of the server. */
export function askSecurely(
  url: string,
  ca: string,
  { body, ...options }: RequestOptions & { body?: string } = {},
): Promise<{
  status: number
  text: string
  headers: NodeJS.Dict<string | string[]>
  serial: string
}> {
  return new Promise((resolve, reject) => {
    request(url, { ca, agent: false, ...options }, (reply) => {
      const { socket, statusCode: status = 0, headers } = reply
      const serial =
        (socket instanceof TLSSocket && socket.getPeerX509Certificate()?.serialNumber) || ''
      text(reply).then((all) => resolve({ status, text: all, headers, serial }), reject)
    })
      .on('error', reject)
      .end(body)
  })
}
