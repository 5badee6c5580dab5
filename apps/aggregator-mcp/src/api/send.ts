import type { ServerResponse } from 'node:http'

export async function send(reply: Response, response: ServerResponse): Promise<void> {
  const body = Buffer.from(await reply.arrayBuffer())
  for (const [name, value] of reply.headers) response.setHeader(name, value)
  response.writeHead(reply.status).end(body)
}
