import { request } from 'node:http'

export interface Sender {
  token?: string | undefined
  /** Where MCP is served. Default `/mcp`. */
  path?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

interface ToolResult {
  content: { text: string }[]
  structuredContent?: object
}

const era = 'io.modelcontextprotocol/'
const _meta = {
  [`${era}protocolVersion`]: '2026-07-28',
  [`${era}clientInfo`]: { name: 'test', version: '1' },
  [`${era}clientCapabilities`]: {},
}

/** Requests of clients of 2026, which need no session. `usual`: what applies unless a request differs. */
export function mcpOverHttp(origin: string, usual: Sender = {}) {
  function send(method: string, params: Record<string, unknown> = {}, given: Sender = {}) {
    const { token, path = '/mcp', headers, signal = null } = { ...usual, ...given }
    const { name } = params
    return fetch(origin + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': String(name) }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
      signal,
    })
  }
  /** The result; of a stream, the last message. */
  async function ask<T>(method: string, params?: Record<string, unknown>, sender?: Sender) {
    const text = await (await send(method, params, sender)).text()
    const last = text.startsWith('{')
      ? text
      : (text
          .match(/^data: .*$/gm)
          ?.at(-1)
          ?.slice(6) ?? '')
    const { result, error } = JSON.parse(last)
    if (result === undefined) throw new Error(error.message)
    return result as T
  }
  const call = (name: string, args: object = {}, sender?: Sender) =>
    ask<ToolResult>('tools/call', { name, arguments: args }, sender)
  return {
    send,
    call,
    use: async (name: string, args?: object, sender?: Sender): Promise<string> =>
      call(name, args, sender).then(
        ({ content }) => content[0]?.text ?? '',
        ({ message }: Error) => message,
      ),
    tools: async (sender?: Sender) =>
      (await ask<{ tools: { name: string; _meta?: object }[] }>('tools/list', {}, sender)).tools,
    /** Status for a host name, which `fetch` does not let a program choose. */
    statusUnder: (host: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const path = '/mcp'
        const headers = { host, ...(usual.token && { authorization: `Bearer ${usual.token}` }) }
        request(origin, { method: 'POST', path, headers }, (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        })
          .on('error', reject)
          .end('{}')
      }),
  }
}
