import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTelemetry, type TelemetryOptions } from '../src/index.ts'
import { startReceiver } from './otlp-receiver.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const sampled = `00-${traceId}-${spanId}-01`
const call = { method: 'tools/call', tool: 'search' }

let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeEach(async () => {
  receiver = await startReceiver()
  vi.stubEnv('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', `${receiver.url}/v1/traces`)
})
afterEach(() => {
  vi.unstubAllEnvs()
  return receiver.stop()
})

const open = (options: Partial<TelemetryOptions> = {}) =>
  createTelemetry({
    service: 'tested',
    version: '1.2.3',
    transport: 'pipe',
    metrics: false,
    traces: 'http/json',
    ...options,
  })

describe('a trace', () => {
  test('goes on from the client through us to the server', async () => {
    const { tracing, close } = open()
    const meta = {
      traceparent: sampled,
      tracestate: 'a=1,b=2',
      baggage: 'user=x',
      progressToken: 7,
    }
    const request = tracing.begin({ ...call, session: '0123456789abcdef', era: 'legacy' }, meta)
    const relayed = request.child({ ...call, server: 'notes', transport: 'tcp' })
    const sent = relayed.metaFor(meta)
    relayed.end('ok')
    request.end('ok')
    await close()
    const [inner, outer] = receiver.spans()
    expect(outer).toMatchObject({
      traceId,
      parentSpanId: spanId,
      name: 'tools/call search',
      kind: 2,
      attributes: {
        'mcp.method.name': 'tools/call',
        'mcp.session.id': '0123456789ab',
        'gen_ai.tool.name': 'search',
        'gen_ai.operation.name': 'execute_tool',
        'network.transport': 'pipe',
      },
    })
    expect(inner).toMatchObject({
      traceId,
      parentSpanId: outer?.spanId,
      kind: 3,
      attributes: { 'network.transport': 'tcp', 'pith.server': 'notes' },
    })
    expect(sent).toEqual({ ...meta, traceparent: `00-${traceId}-${inner?.spanId}-01` })
    expect(receiver.resource()).toMatchObject({
      'service.name': 'tested',
      'service.version': '1.2.3',
    })
  })

  test('begins with us where the client has none', async () => {
    const { tracing, close } = open()
    const request = tracing.begin(call, undefined)
    expect(request.child(call).metaFor(undefined)).toEqual({
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    })
    request.end('ok')
    await close()
    expect(receiver.spans()[0]?.parentSpanId).toBeUndefined()
  })

  test.each([
    ['of another shape', 'nonsense'],
    ['that is no text', 5],
    ['without end', `${sampled}-${'x'.repeat(10_000)}`],
    ['of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
  ])('begins anew for a traceparent %s, and its tracestate is dropped', async (_name, given) => {
    const { tracing, close } = open()
    const meta = { traceparent: given, tracestate: 'a=1', keep: true }
    const sent = tracing.begin(call, meta).metaFor(meta)
    expect(sent).toEqual({ keep: true, traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-/) })
    expect(sent?.['traceparent']).not.toContain(traceId)
    await close()
  })

  test('that the client does not sample is passed on so, and not sent', async () => {
    const { tracing, close } = open()
    const meta = { traceparent: `00-${traceId}-${spanId}-00` }
    const request = tracing.begin(call, meta)
    const relayed = request.child(call)
    const sent = relayed.metaFor(meta)?.['traceparent']
    expect(sent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`))
    expect(sent).not.toContain(spanId)
    relayed.end('ok')
    request.end('ok')
    await close()
    expect(receiver.requests).toEqual([])
  })

  test('that begins with us is sampled as it is said', async () => {
    vi.stubEnv('OTEL_TRACES_SAMPLER', 'parentbased_traceidratio')
    vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', '0')
    const { tracing, close } = open()
    const fresh = tracing.begin(call, undefined)
    expect(fresh.metaFor(undefined)?.['traceparent']).toMatch(/-00$/)
    fresh.end('ok')
    tracing.begin(call, { traceparent: sampled }).end('ok')
    await close()
    expect(receiver.spans().map((span) => span.traceId)).toEqual([traceId])
  })
})

describe('what went wrong', () => {
  test.each([
    ['tool_error', { 'error.type': 'tool_error' }],
    ['-32602', { 'error.type': '-32602', 'rpc.response.status_code': '-32602' }],
    ['timeout', { 'error.type': 'timeout' }],
  ])('%s is named by its code, without words', async (outcome, attributes) => {
    const { tracing, close } = open()
    tracing.begin(call, undefined).end(outcome)
    await close()
    const [span] = receiver.spans()
    expect(span?.attributes).toMatchObject(attributes)
    expect(span?.status).toEqual({ code: 2 })
  })
})

describe('spans are sent', () => {
  test('as protobuf unless JSON is asked for, with the headers that were given', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'authorization=Key%201')
    const { tracing, close } = open({ traces: 'http/protobuf' })
    tracing.begin(call, { traceparent: sampled }).end('ok')
    await close()
    const [request] = receiver.requests
    expect(request?.url).toBe('/v1/traces')
    expect(request?.headers).toMatchObject({
      'content-type': 'application/x-protobuf',
      authorization: 'Key 1',
    })
    expect(request?.body.includes(Buffer.from(traceId, 'hex'))).toBe(true)
  })

  test('or lost, which is told once, and when it is over', async () => {
    const said: string[] = []
    const { tracing, close } = open({ onLog: (text) => said.push(text) })
    receiver.refuse(400)
    for (let n = 0; n < 1_200; n++) tracing.begin(call, undefined).end('ok')
    await expect.poll(() => said).toHaveLength(1)
    expect(said[0]).toMatch(/^Traces cannot be sent: .*400/i)
    receiver.refuse(200)
    for (let n = 0; n < 600; n++) tracing.begin(call, undefined).end('ok')
    await close()
    expect(said.slice(1)).toEqual(['Traces are sent again.'])
  })

  test('and who does not take them keeps nobody waiting at the end', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http://127.0.0.1:9/v1/traces')
    const { tracing, close } = open()
    tracing.begin(call, undefined).end('ok')
    const started = performance.now()
    await close()
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

test('without traces _meta is passed as it is', () => {
  const { tracing } = createTelemetry({ service: 's', version: '1', metrics: false })
  const meta = { traceparent: 'whatever', odd: [1] }
  expect(tracing.begin(call, meta).child(call).metaFor(meta)).toBe(meta)
  expect(tracing.begin(call, undefined).metaFor(undefined)).toBeUndefined()
})
