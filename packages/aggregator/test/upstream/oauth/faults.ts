import { silence } from './serve-web.ts'

/** How an endpoint answers other than it should. */
export type Fault = keyof typeof faults | (() => Response)

export const answerOf = (fault: Fault): Response | typeof silence =>
  typeof fault === 'string' ? faults[fault]() : fault()

const json = { 'content-type': 'application/json' }

const faults = {
  hang: () => silence,
  error: () => Response.json({ error: 'server_error' }, { status: 500 }),
  missing: () => new Response('Not found', { status: 404 }),
  'no JSON': () =>
    new Response('<title>Welcome</title>', { headers: { 'content-type': 'text/html' } }),
  'empty object': () => Response.json({}),
  /** A body that goes on at about 10 MB/s. */
  endless: () => new Response(endless(), { headers: json }),
  'redirect elsewhere': () => Response.redirect('http://127.0.0.1:9/', 302),
} satisfies Record<string, () => Response | typeof silence>

function endless(): ReadableStream<Uint8Array> {
  const blanks = new Uint8Array(100_000).fill(0x20)
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      controller.enqueue(blanks)
    },
  })
}
