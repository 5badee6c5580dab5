import { execFileSync } from 'node:child_process'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startReceiver } from '../../../../packages/telemetry/test/otlp-receiver.ts'
import { configure, startAggregator } from '../running/aggregator-process.ts'
import { metaOverStdio, startMetaOverHttp } from './meta-servers.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const meta = {
  traceparent: `00-${traceId}-${spanId}-01`,
  tracestate: 'vendor=1',
  baggage: 'user=x',
  'example.org/own': { kept: true },
}

let receiver: Awaited<ReturnType<typeof startReceiver>>
let web: Awaited<ReturnType<typeof startMetaOverHttp>>
beforeAll(async () => {
  web = await startMetaOverHttp()
})
afterAll(() => web.stop())
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.stop())

const environment = (more: NodeJS.ProcessEnv = {}) => ({
  ...process.env,
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  ...more,
})

/** An aggregator before both servers. */
async function start(env?: NodeJS.ProcessEnv, settings?: object) {
  const { args, remove } = configure(
    { pipe: { ...metaOverStdio(), timeoutSeconds: 1 }, web: web.entry },
    settings,
  )
  const aggregator = await startAggregator(args, env)
  const call = (module: string, tool_name = 'meta', _meta?: object) =>
    aggregator.request('tools/call', {
      name: 'call',
      arguments: { module, tool_name, params: { said: 'never to be told' } },
      ...(_meta && { _meta }),
    })
  return {
    ...aggregator,
    call,
    /** What a server got of it. */
    metaAt: async (module: string, given?: object) => {
      const { result } = await call(module, 'meta', given)
      return JSON.parse(result?.content?.[0]?.text ?? '') as Record<string, unknown> | null
    },
    async stop() {
      await aggregator.stop()
      remove()
    },
  }
}

describe('with an endpoint for traces in the environment', () => {
  test.each(['pipe', 'web'])('one trace goes through us to a server (%s)', async (module) => {
    const aggregator = await start(environment())
    const got = await aggregator.metaAt(module, meta)
    await aggregator.stop()
    const spans = receiver.spans().filter((span) => span.traceId === traceId)
    const outer = spans.find(({ kind }) => kind === 2)
    const inner = spans.find(({ kind }) => kind === 3)
    expect(spans).toHaveLength(2)
    expect(outer).toMatchObject({
      name: 'tools/call call',
      parentSpanId: spanId,
      attributes: { 'mcp.method.name': 'tools/call', 'network.transport': 'pipe' },
    })
    expect(inner).toMatchObject({
      name: 'tools/call meta',
      parentSpanId: outer?.spanId,
      attributes: {
        'gen_ai.tool.name': 'meta',
        'pith.server': module,
        'network.transport': module === 'pipe' ? 'pipe' : 'tcp',
      },
    })
    expect(got).toMatchObject({ ...meta, traceparent: `00-${traceId}-${inner?.spanId}-01` })
    expect(receiver.resource()).toMatchObject({ 'service.name': 'aggregator-mcp' })
    expect(receiver.text()).not.toContain('never to be told')
  })

  test('the journal and the log have the id of the trace', async () => {
    const { args, remove } = configure({ pipe: metaOverStdio() })
    const flags = ['--log-format', 'json', '--log-level', 'debug']
    const aggregator = await startAggregator([...args, ...flags], environment())
    await aggregator.request('tools/call', {
      name: 'call',
      arguments: { module: 'pipe', tool_name: 'meta', params: {} },
      _meta: meta,
    })
    await aggregator.stop()
    const [main = '', ...rest] = args
    const words = [main, 'journal', ...rest, '--request', traceId, '--format', 'jsonl']
    const [line = '{}', ...more] = execFileSync(process.execPath, words, { encoding: 'utf8' })
      .trim()
      .split('\n')
    expect(JSON.parse(line)).toMatchObject({ kind: 'call', tool: 'meta', request: traceId })
    expect(more).toEqual([])
    expect(aggregator.stderr()).toContain(`"request":"${traceId}"`)
    remove()
  })

  test('each call of a batch is a span below that of the batch', async () => {
    const aggregator = await start(environment())
    const line = { module: 'pipe', tool_name: 'meta', output: true }
    const commands = ['a', 'b', 'c'].map((id) => JSON.stringify({ id, ...line })).join('\n')
    await aggregator.request('tools/call', { name: 'batch', arguments: { commands }, _meta: meta })
    await aggregator.stop()
    const spans = receiver.spans().filter((span) => span.traceId === traceId)
    const batch = spans.find(({ name }) => name === 'tools/call batch')
    const calls = spans.filter(({ parentSpanId }) => parentSpanId === batch?.spanId)
    expect(calls.map(({ name }) => name)).toEqual(Array(3).fill('tools/call meta'))
  })

  test('the variables of OpenTelemetry are heeded', async () => {
    const env = environment({
      OTEL_SERVICE_NAME: 'mine',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    })
    const aggregator = await start(env)
    expect((await aggregator.metaAt('pipe'))?.['traceparent']).toMatch(/-00$/)
    await aggregator.metaAt('pipe', meta)
    await aggregator.stop()
    expect(new Set(receiver.spans().map((span) => span.traceId))).toEqual(new Set([traceId]))
    expect(receiver.resource()).toMatchObject({
      'service.name': 'mine',
      'deployment.environment.name': 'test',
    })
  })

  test.each([
    ['fail', 'tool_error'],
    ['wrong', '-32123'],
    ['token', 'upstream_closed'],
    ['hang', 'timeout'],
  ])('what goes wrong is named by its code, without words (%s)', async (tool, type) => {
    const aggregator = await start(environment())
    await aggregator.call('pipe', tool, meta)
    await aggregator.stop()
    const inner = receiver.spans().find(({ kind, traceId: id }) => kind === 3 && id === traceId)
    expect(inner?.attributes['error.type']).toBe(type)
    expect(inner?.status.code).toBe(2)
    expect(receiver.text()).not.toContain('private words')
  })
})

describe('by the configuration', () => {
  test('traces go where the variables say, with their headers and share', async () => {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: _, ...env } = environment({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/custom`,
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-key=k-123456',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '1',
    })
    const aggregator = await start(env, { telemetry: { traces: true } })
    await aggregator.metaAt('pipe')
    await aggregator.stop()
    expect(receiver.requests[0]).toMatchObject({
      url: '/custom',
      headers: { 'x-key': 'k-123456' },
    })
  })

  test.each([
    ['switched off in the configuration', {}, { telemetry: { traces: false } }],
    ['switched off for all of OpenTelemetry', { OTEL_SDK_DISABLED: 'true' }, undefined],
    ['wanted by nobody', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, undefined],
  ])('%s, nothing is sent and _meta passes as it is', async (_name, more, settings) => {
    const aggregator = await start(environment(more), settings)
    expect(await aggregator.metaAt('pipe', meta)).toEqual(meta)
    expect(await aggregator.metaAt('web', meta)).toEqual(meta)
    await aggregator.stop()
    expect(receiver.requests).toEqual([])
  })
})
