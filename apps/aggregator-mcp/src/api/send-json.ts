import type { ServerResponse } from 'node:http'

export function sendJson(
  response: ServerResponse,
  value: unknown,
  status = 200,
  type = 'application/json',
): void {
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(value))
}
