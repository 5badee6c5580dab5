import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ServiceRequest {
  method: string
  /** Without the query. */
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}

interface ServiceReply {
  status?: number
  type?: string
  headers?: Record<string, string>
  body: string
}

/** What a service does with questions: as it should, or as services do on bad days. */
type Weather =
  | 'fair'
  | 'empty'
  | 'page instead of JSON'
  | 'half an answer'
  | 'another shape'
  | 'busy once'
  | 'busy'
  | 'refused'
  | 'down'
  | 'silent'
  | 'endless'

export interface Service {
  url: string
  requests: ServiceRequest[]
  /** Questions among them. */
  questions(): ServiceRequest[]
  weather: Weather
  close(): Promise<void>
}

interface ServiceOptions {
  isQuestion(request: ServiceRequest): boolean
  /** Undefined: not found. */
  answer(request: ServiceRequest, url: string, isEmpty: boolean): ServiceReply | undefined
}

export const json = (value: unknown): ServiceReply => ({
  type: 'application/json',
  body: JSON.stringify(value),
})
export const page = (body: string): ServiceReply => ({ type: 'text/html; charset=utf-8', body })

/** A documentation site with its search, on this machine and a port of its own. */
export async function startService({ isQuestion, answer }: ServiceOptions): Promise<Service> {
  const requests: ServiceRequest[] = []
  let isBusy = true
  const server = createServer(async (incoming, response) => {
    const { method = 'GET', headers, url: target = '/' } = incoming
    let body = ''
    for await (const part of incoming) body += part
    const { pathname, searchParams } = new URL(target, 'http://localhost')
    const request = { method, path: pathname, query: searchParams, headers, body }
    requests.push(request)
    const send = ({
      status = 200,
      type = 'text/plain',
      headers: more = {},
      body: text,
    }: ServiceReply) => response.writeHead(status, { 'content-type': type, ...more }).end(text)
    const whole = answer(request, service.url, service.weather === 'empty')
    if (!whole) return send({ status: 404, ...page('<h1>Not found</h1>') })
    if (!isQuestion(request)) return send(whole)
    switch (service.weather) {
      case 'page instead of JSON':
        return send(page('<!doctype html><title>Just a moment</title><p>Checking your browser'))
      case 'half an answer':
        return send({ ...whole, body: whole.body.slice(0, whole.body.length / 2) })
      case 'another shape':
        return send(json({ items: [], version: 9 }))
      case 'busy once':
        if (!isBusy) return send(whole)
        isBusy = false
        return send({
          status: 429,
          headers: { 'retry-after': '1' },
          ...json({ message: 'Too many requests' }),
        })
      case 'busy':
        return send({
          status: 429,
          headers: { 'retry-after': '60' },
          ...json({ message: 'Too many requests' }),
        })
      case 'refused':
        return send({ status: 403, ...json({ message: 'Invalid key' }) })
      case 'down':
        return send({ status: 500, ...page('<h1>Internal error</h1>') })
      case 'silent':
        return undefined
      case 'endless': {
        response.writeHead(200, { 'content-type': 'application/json' })
        const part = ' '.repeat(2 ** 20)
        const write = (left: number): void => {
          if (left > 0 && !response.destroyed) response.write(part, () => write(left - 1))
          else response.end()
        }
        return write(40)
      }
      default:
        return send(whole)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service: Service = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    questions: () => requests.filter(isQuestion),
    weather: 'fair',
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return service
}
